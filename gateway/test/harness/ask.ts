import { Agent, request } from 'node:http'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

const agent = new Agent({ keepAlive: true })

/** Asks over HTTP and follows nothing. Tests ask so often that `fetch`, which computes twice as much, took a tenth of their time. */
export function ask({
  method,
  url,
  headers,
  body,
}: Asked): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent }, (answer) => {
      let text = ''
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('error', reject)
        .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer.rawHeaders), text }))
    })
    asked.on('error', reject).end(body)
  })
}

/** Names and values by turns, as they came. */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '')
  return headers
}
