import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { slow } from '../../gateway/test/harness/slow.ts'

const run = promisify(execFile)
const SDK = fileURLToPath(new URL('../', import.meta.url))

interface Installation {
  /** A command that succeeds if the language's installer is here. */
  readonly needs: readonly [string, ...string[]]
  readonly missing: string
  /** Keeps the installer from the network; pip needs it, to download setuptools. */
  readonly env: NodeJS.ProcessEnv
  /** A program that prints whether a client refuses an empty secret key. */
  readonly program: readonly [file: string, code: string]
  readonly start: string
}

const UNREACHABLE = /No matching distribution found for setuptools|Could not fetch URL|Temporary failure in name/

const PHP_CODE = `try { new Kobo\\Client('http://localhost:1', 'MK_TEST_1', ''); } catch (InvalidArgumentException $e) { echo $e->getMessage(); }`

const INSTALLATIONS: Readonly<Record<string, Installation>> = {
  python: {
    needs: ['python3', '-c', 'import venv, ensurepip'],
    missing: 'python3 with venv is not installed here',
    env: {},
    program: [
      'shop.py',
      'import kobo\ntry:\n    kobo.Client("http://localhost:1", "MK_TEST_1", "")\nexcept ValueError as error:\n    print(error)\n',
    ],
    start: 'python3 shop.py',
  },
  php: {
    needs: ['composer', '--version'],
    missing: 'composer is not installed here',
    env: { COMPOSER_DISABLE_NETWORK: '1', COMPOSER_ALLOW_SUPERUSER: '1' },
    program: ['shop.php', `<?php\nrequire __DIR__ . '/vendor/autoload.php';\n${PHP_CODE}`],
    start: 'php shop.php',
  },
  go: {
    needs: ['go', 'version'],
    missing: 'go is not installed here',
    env: { GOFLAGS: '-mod=mod', GOPROXY: 'off' },
    program: [
      'main.go',
      'package main\n\nimport (\n\t"fmt"\n\n\t"kobo"\n)\n\nfunc main() {\n\t_, err := kobo.New(kobo.Options{BaseUrl: "http://localhost:1", ApiKey: "MK_TEST_1"})\n\tfmt.Println(err)\n}\n',
    ],
    start: 'go run .',
  },
}

/** An empty project next to a clone that has only this SDK. */
function projectNextTo(language: string): string {
  const folder = ownFolder('install')
  cpSync(join(SDK, language), join(folder, 'kobo/sdk', language), { recursive: true })
  mkdirSync(join(folder, 'shop'))
  return join(folder, 'shop')
}

/** The commands in the section Install of an SDK's page. */
function commandsOf(language: string): string {
  const [, section = ''] = readFileSync(join(SDK, language, 'readme.md'), 'utf8').split(/^## Install$/m)
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? assert.fail(`${language} has no commands`)
}

for (const [language, { needs, missing, env, program, start }] of Object.entries(INSTALLATIONS)) {
  const [command, ...args] = needs
  const isHere = spawnSync(command, args, { stdio: 'ignore' }).status === 0
  slow(`the SDK for ${language} installs as its page says`, { skip: isHere ? false : missing }, async (t) => {
    const cwd = projectNextTo(language)
    const [file, code] = program
    writeFileSync(join(cwd, file), code)
    const script = `${commandsOf(language)}\n${start}`
    const ended = await run('bash', ['-euc', script], { cwd, env: { ...process.env, ...env } }).catch((error) => {
      if (UNREACHABLE.test(error.stderr)) return undefined
      throw error
    })
    if (ended === undefined) return t.skip('the package index cannot be reached')
    assert.match(ended.stdout.trim().split('\n').at(-1) ?? '', /secret_?key is missing$/i)
  })
}

slow('the SDK for PHP works as a copied folder, as its page says', async (t) => {
  if (spawnSync('php', ['--version'], { stdio: 'ignore' }).status !== 0) return t.skip('php is not installed here')
  const cwd = projectNextTo('php')
  cpSync(join(cwd, '../kobo/sdk/php'), join(cwd, 'kobo'), { recursive: true })
  const [, line = ''] = /```php\n(require .*?)```/s.exec(readFileSync(join(SDK, 'php/readme.md'), 'utf8')) ?? []
  writeFileSync(join(cwd, 'shop.php'), `<?php\n${line}${PHP_CODE}`)
  const { stdout } = await run('php', ['shop.php'], { cwd })
  assert.match(stdout, /secretKey is missing$/)
})
