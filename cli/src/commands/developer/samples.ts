import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packSdk } from '../../../../sdk/src/packing/pack.ts'
import { type Command, print, UsageError } from '../../command.ts'

const FOLDER = fileURLToPath(new URL('../../../../samples/', import.meta.url))

/** The samples by name, with what each is: the first heading of its page. */
const listSamples = (): readonly { readonly name: string; readonly told: string }[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      name,
      told: /^# (.+)$/m.exec(readFileSync(join(FOLDER, name, 'readme.md'), 'utf8'))?.[1] ?? '',
    }))

/** Packs the SDK beside a sample that takes it, and says so in its package.json, since no registry has it. */
async function addSdk(folder: string): Promise<boolean> {
  const path = join(folder, 'package.json')
  const manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  if (manifest.dependencies?.['@kobo/sdk'] === undefined) return false
  manifest.dependencies['@kobo/sdk'] = `file:${await packSdk(resolve(folder))}`
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
  return true
}

export const samples: Command = {
  prints: 'text or JSON',
  usage: '[NAME FOLDER] [--json]',
  summary: 'Lists programs to start from (shops, receivers of events), or copies one into a new folder',
  details: `
One that takes the SDK gets it packed beside it, so that npm install finds it. \`kobo credentials --env\` prints what to put into its .env.
`,
  run: async (args, around) => {
    const { out } = around
    const options = { json: { type: 'boolean', default: false } } as const
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const [name, folder, ...more] = positionals
    const all = listSamples()
    if (name === undefined) {
      const width = Math.max(...all.map((one) => one.name.length))
      if (values.json) print(around, all)
      else out(all.map((one) => `${one.name.padEnd(width)}  ${one.told}\n`).join(''))
      return 0
    }
    if (!all.some((one) => one.name === name))
      throw new UsageError(`There is no sample ${name}; there are ${all.map((one) => one.name).join(', ')}.`)
    if (folder === undefined || more.length > 0) throw new UsageError('FOLDER is required: where to copy it.')
    if (existsSync(folder)) throw new UsageError(`${folder} is there already.`)
    cpSync(join(FOLDER, name), folder, { recursive: true })
    const hasSdk = await addSdk(folder)
    const told = hasSdk ? 'the SDK is packed beside it, and its readme.md' : 'its readme.md'
    if (values.json) print(around, { folder: resolve(folder), hasSdk })
    else out(`Copied to ${resolve(folder)}; ${told} says how to start it.\n`)
    return 0
  },
}
