import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { slow } from '../../gateway/test/harness/slow.ts'

/** The languages: how to find out whether one is installed, and how to run its shop. */
const LANGUAGES = {
  PHP: {
    isHere: ['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"],
    folder: '.',
    shop: ['php', 'shop.php'],
    missing: 'PHP with curl is not installed here',
    noStatus: null,
  },
  Python: {
    isHere: ['python3', '--version'],
    folder: '.',
    shop: ['python3', '-B', 'shop.py'],
    missing: 'python3 is not installed here',
    noStatus: null,
  },
  Go: {
    isHere: ['go', 'version'],
    folder: 'shop-go',
    shop: ['go', 'run', '.'],
    missing: 'go is not installed here',
    noStatus: 0,
  },
} as const

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url))

function isInstalled([command, ...args]: readonly [string, ...string[]]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** A proxy that drops the first response to each payment, after the gateway has created it. */
async function lossyProxy(t: TestContext, target: string): Promise<{ url: string; lost: () => number }> {
  const lost = new Set<string>()
  const proxy = createServer(async (request, reply) => {
    const chunks = await text(request)
    const { host: _, ...headers } = request.headers as Record<string, string>
    const response = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks === '' ? {} : { body: chunks }),
    })
    const body = await response.text()
    const key = request.headers['idempotency-key']
    if (request.url?.endsWith('/init-transaction') === true && typeof key === 'string' && !lost.has(key)) {
      lost.add(key)
      request.socket.destroy()
      return
    }
    const stored = [...response.headers].filter(
      ([name]) => !/^(content-length|connection|transfer-encoding)$/.test(name),
    )
    reply.writeHead(response.status, Object.fromEntries(stored)).end(body)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lost: () => lost.size }
}

for (const [language, { isHere, folder, shop: program, missing, noStatus }] of Object.entries(LANGUAGES))
  slow(
    `the ${language} SDK is paid once although every first response is lost, resets a setting, and reads pages, errors, warnings and events`,
    { skip: isInstalled(isHere) ? false : missing },
    async (t) => {
      const shop = await aShop()
      const proxy = await lossyProxy(t, shop.url)
      const [command, ...args] = program
      const child = spawn(command, args, { cwd: join(PROGRAMS, folder), stdio: ['pipe', 'pipe', 'inherit'] })
      t.after(() => child.kill('SIGKILL'))
      child.stdin.end(JSON.stringify({ ...shop.credentials, baseUrl: proxy.url }))
      assert.deepEqual(JSON.parse(await text(child.stdout)), {
        status: 'PAID',
        refused: [422, 'DUPLICATE_PAYMENT_REFERENCE', true],
        // Go's requests are typed, so they cannot have an unknown field.
        warnings: language === 'Go' ? [] : ['custmerName is not a field of this request, and was ignored'],
        found: ['shop-3', 'shop-2', 'shop-1'],
        isReset: true,
        noResponse: noStatus,
        wrongUrl: true,
        genuine: [true, false, false, false],
        emptyKey: 'rejected',
      })
      assert.equal(proxy.lost(), 4)
    },
  )
