import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'

const PROGRAM = fileURLToPath(new URL('programs/shop.php', import.meta.url))

/** Whether PHP is installed with curl, which is a separate package in some distributions. */
function whyNot(): string | false {
  try {
    return execFileSync('php', ['-r', "echo extension_loaded('curl') ? 'yes' : 'no';"]).toString() === 'yes'
      ? false
      : 'PHP has no curl here'
  } catch {
    return 'there is no PHP here'
  }
}

/** A proxy that drops the first response to each payment, after the gateway has created it. */
async function lossyProxy(t: TestContext, target: string): Promise<{ url: string; lost: () => number }> {
  const lost = new Set<string>()
  const proxy = createServer(async (request, reply) => {
    const chunks = await text(request)
    const { host: _, ...headers } = request.headers as Record<string, string>
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks === '' ? {} : { body: chunks }),
    })
    const body = await answer.text()
    const key = request.headers['idempotency-key']
    if (request.url?.endsWith('/init-transaction') === true && typeof key === 'string' && !lost.has(key)) {
      lost.add(key)
      request.socket.destroy()
      return
    }
    const stored = [...answer.headers].filter(([name]) => !/^(content-length|connection|transfer-encoding)$/.test(name))
    reply.writeHead(answer.status, Object.fromEntries(stored)).end(body)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lost: () => lost.size }
}

slow(
  'the PHP SDK is paid once although every first response is lost, and reads pages, errors and events',
  {
    skip: whyNot(),
  },
  async (t) => {
    const shop = await aShop()
    const proxy = await lossyProxy(t, shop.url)
    const child = spawn('php', [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    child.stdin.end(JSON.stringify({ ...shop.credentials, baseUrl: proxy.url }))
    assert.deepEqual(JSON.parse(await text(child.stdout)), {
      status: 'PAID',
      refused: [422, 'DUPLICATE_PAYMENT_REFERENCE', true],
      found: ['php-3', 'php-2', 'php-1'],
      noAnswer: null,
      genuine: [true, false, false, false],
    })
    assert.equal(proxy.lost(), 4)
  },
)
