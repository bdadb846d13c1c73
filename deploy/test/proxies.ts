import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ownCertificate } from '../../gateway/test/harness/certificates.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { DEPLOY, freePorts, startTool, startToolWith, textOf } from './tools.ts'

/** A TLS proxy on `localhost` in front of some nodes. */
export interface Before {
  readonly port: number
  /** Its output so far. */
  readonly output: () => string
  /** Sends a request through it over verified TLS. */
  readonly open: (
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ) => Promise<IncomingMessage>
}

/** Starts Caddy with our configuration and test settings. */
export async function caddy(t: TestContext, nodes: readonly string[]): Promise<Before> {
  const [port = 0] = await freePorts(1)
  const home = ownFolder('caddy')
  const config = join(home, 'Caddyfile')
  writeFileSync(
    config,
    `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\nimport "${join(DEPLOY, 'caddy/Caddyfile')}"\n`,
  )
  const env = { KOBO_SITE: `https://localhost:${port}`, KOBO_NODES: nodes.join(' '), XDG_DATA_HOME: home, HOME: home }
  const output = startToolWith(t, env, 'caddy', 'run', '--adapter', 'caddyfile', '--config', config)
  const authority = join(home, 'caddy/pki/authorities/local/root.crt')
  return ready(port, () => readFileSync(authority, 'utf8'), output)
}

/** Starts nginx with our configuration and the test's names, certificate and port. */
export async function nginx(t: TestContext, nodes: readonly string[]): Promise<Before> {
  const [port = 0] = await freePorts(1)
  const home = ownFolder('nginx')
  mkdirSync(join(home, 'logs'))
  const { certificate, key } = ownCertificate()
  const sample = textOf('deploy/nginx/kobo.conf')
    .replace('10.0.0.11:8080', nodes[0] ?? '')
    .replace('10.0.0.12:8080', nodes[1] ?? nodes[0] ?? '')
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('/etc/ssl/kobo/fullchain.pem', certificate)
    .replace('/etc/ssl/kobo/privkey.pem', key)
    .replaceAll('pay.example.com', 'localhost')
  writeFileSync(join(home, 'kobo.conf'), sample)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(home, name)};`,
  )
  const config = join(home, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off;\nmaster_process off;\npid ${join(home, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places.join('\n')}\ninclude ${join(home, 'kobo.conf')};\n}\n`,
  )
  const output = startTool(t, 'nginx', '-p', home, '-c', config)
  return ready(port, () => readFileSync(certificate, 'utf8'), output)
}

/** Waits until a proxy responds. */
async function ready(port: number, authority: () => string, output: () => string): Promise<Before> {
  let agent: Agent | undefined
  const open: Before['open'] = (method, path, headers = {}, body) => {
    agent ??= new Agent({ keepAlive: true, ca: authority() })
    return new Promise((resolve, reject) => {
      request({ host: 'localhost', port, method, path, headers, agent }, resolve).on('error', reject).end(body)
    })
  }
  let last: unknown
  await until(`the proxy answers`, async () => {
    try {
      const response = await open('GET', '/nowhere')
      await textIn(response)
      last = response.statusCode
      return response.statusCode === 404
    } catch (error) {
      last = error
      return false
    }
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${String(last)}\n${output()}`)
  })
  return { port, output, open }
}

/** Reads a response's text. */
export async function textIn(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  return text
}
