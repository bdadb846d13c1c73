import { connect } from 'node:net'
import type { ApiResponse } from './responses.ts'
import { WAIT_MILLISECONDS_MAX } from './until.ts'

/** Sends exactly these bytes, which fetch would reject or change, and reads the response until the server hangs up. */
export async function sendBytes(url: string, ...parts: readonly (string | Buffer)[]): Promise<ApiResponse> {
  const { hostname, port } = new URL(url)
  const reply = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () =>
      socket.write(Buffer.concat(parts.map((part) => Buffer.from(part)))),
    )
    socket.setTimeout(WAIT_MILLISECONDS_MAX, () => socket.destroy(new Error('no response')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
  const [head = '', text = ''] = reply.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => [field.split(':')[0] ?? '', field.slice(field.indexOf(':') + 1).trim()]),
  )
  return { status: Number(line.split(' ')[1]), headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** The head of a request whose connection closes after the response. */
export const head = (method: string, path: string, headers: Record<string, string | number> = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    '',
  ].join('\r\n')
