import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withPackedSdk } from '../../../../sdk/test/packed.ts'
import { CODE_GUIDES } from '../../../../tools/guide-steps.ts'
import { wallClock } from '../../../src/kernel/clock.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { gateway } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The blocks of code in one language, from top to bottom. */
function blocksIn(text: string, fence: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

/** Each language: the page of its SDK, whether it is installed, and how to run a program in its own folder. */
const LANGUAGES: Readonly<
  Record<
    string,
    {
      readonly page?: string
      /** The language of its blocks of code, if it has another name. */
      readonly fence?: string
      readonly needs: readonly [string, ...string[]]
      readonly start: (code: string) => Promise<readonly string[]>
    }
  >
> = {
  sh: {
    needs: ['curl', '--version'],
    start: async (code) => ['bash', '-euc', `./kobo() { printf '%s' "$CREDENTIALS"; }\n${code}`],
  },
  zsh: {
    fence: 'sh',
    needs: ['zsh', '--version'],
    start: async (code) => ['zsh', '-feuc', `./kobo() { printf '%s' "$CREDENTIALS"; }\n${code}`],
  },
  ts: {
    page: 'sdk/readme.md',
    needs: ['node', '--version'],
    start: async (code) => {
      const file = join(await withPackedSdk(), 'guide.mjs')
      writeFileSync(file, code)
      return ['node', file]
    },
  },
  php: {
    page: 'sdk/php/readme.md',
    needs: ['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"],
    start: async (code) => {
      const folder = ownFolder('guide')
      const file = join(folder, 'guide.php')
      writeFileSync(file, code)
      mkdirSync(join(folder, 'vendor'))
      writeFileSync(join(folder, 'vendor/autoload.php'), `<?php require '${ROOT}sdk/php/autoload.php';`)
      return ['php', file]
    },
  },
  python: {
    page: 'sdk/python/readme.md',
    needs: ['python3', '--version'],
    start: async (code) => {
      const file = join(ownFolder('guide'), 'guide.py')
      writeFileSync(file, code)
      return ['python3', '-B', file]
    },
  },
  go: {
    page: 'sdk/go/readme.md',
    needs: ['go', 'version'],
    start: async (code) => {
      const folder = ownFolder('guide')
      cpSync(join(ROOT, 'sdk/go'), join(folder, 'kobo'), { recursive: true })
      mkdirSync(join(folder, 'shop'))
      writeFileSync(join(folder, 'shop/main.go'), code)
      writeFileSync(
        join(folder, 'shop/go.mod'),
        'module shop\n\ngo 1.19\n\nrequire kobo v0.0.0\n\nreplace kobo => ../kobo\n',
      )
      return ['sh', '-c', `cd ${join(folder, 'shop')} && go run .`]
    },
  },
}

for (const [language, { page, fence = language, needs, start }] of Object.entries(LANGUAGES)) {
  const [program, ...args] = needs
  const isHere = spawnSync(program, args, { stdio: 'ignore' }).status === 0
  slow(
    `the guides and the SDK’s first program run as pasted in ${language} and print what they say`,
    { skip: isHere ? false : `${program} is not installed here` },
    async (t) => {
      const shop = await gateway(t, { wall: wallClock })
      const { apiKey, secretKey, contractCode, walletAccountNumber } = shop.credentials
      const env = {
        ...process.env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        PYTHONPATH: join(ROOT, 'sdk/python'),
        CREDENTIALS: JSON.stringify(shop.credentials),
        KOBO_URL: shop.url,
        KOBO_API_KEY: apiKey,
        KOBO_SECRET_KEY: secretKey,
        KOBO_CONTRACT_CODE: contractCode,
        KOBO_WALLET_ACCOUNT_NUMBER: walletAccountNumber,
      }
      if (page !== undefined)
        await t.test(page, async () => {
          const [, section = ''] = textOf(page).split(/^## First payment$/m)
          const [code = ''] = blocksIn(section, language)
          const [command = '', ...given] = await start(code)
          assert.match((await run(command, given, { cwd: ROOT, env })).stdout, /^http:.*\/checkout\/\S+\n$/)
        })
      for (const { name, steps } of CODE_GUIDES)
        await t.test(name, async () => {
          // A reference is used once, and the guides make them of the second in which they start.
          const blocks = blocksIn(textOf(`docs/guides/${name}.md`), fence)
          const code = blocks.join('\n').replaceAll(/\border-/g, `${name}-`)
          const [command = '', ...given] = await start(code)
          const { stdout } = await run(command, given, { cwd: ROOT, env })
          assert.deepEqual(
            stdout.trim().split('\n'),
            steps.flatMap(({ prints }) => prints?.is ?? []),
          )
        })
    },
  )
}
