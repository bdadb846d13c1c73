import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packSdk } from '../../../../sdk/src/packing/pack.ts'
import { type Command, print, UsageError } from '../../command.ts'
import { PROGRAM } from '../../program.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = join(ROOT, 'samples')

/** The samples, each with the title of its readme. */
const listSamples = (): readonly { readonly name: string; readonly title: string }[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      name,
      title: /^# (.+)$/m.exec(readFileSync(join(FOLDER, name, 'readme.md'), 'utf8'))?.[1] ?? '',
    }))

/** The samples that get a copy of an SDK in their folder `kobo`, and the SDK's folder. */
const COPIED_SDKS: Readonly<Record<string, string>> = { 'shop-go': 'sdk/go', 'shop-python': 'sdk/python/kobo' }

/** Adds the SDK to a sample that uses it, because no registry has the SDKs: as a copied folder, or packed for npm. */
async function addSdk(name: string, folder: string): Promise<boolean> {
  const source = COPIED_SDKS[name]
  if (source !== undefined) {
    cpSync(join(ROOT, source), join(folder, 'kobo'), { recursive: true })
    return true
  }
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
  summary: 'Lists sample programs (shops, webhook endpoints), or copies one into a new folder',
  details: `
A sample that uses the SDK gets a copy of it. Fill its .env with \`${PROGRAM} credentials --env\`.
`,
  run: async (args, context) => {
    const { out } = context
    const options = { json: { type: 'boolean', default: false } } as const
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    const [name, folder, ...more] = positionals
    const all = listSamples()
    if (name === undefined) {
      const width = Math.max(...all.map((one) => one.name.length))
      if (values.json) print(context, all)
      else out(all.map((one) => `${one.name.padEnd(width)}  ${one.title}\n`).join(''))
      return 0
    }
    if (!all.some((one) => one.name === name))
      throw new UsageError(`Unknown sample ${name}. Use one of ${all.map((one) => one.name).join(', ')}.`)
    if (folder === undefined || more.length > 0)
      throw new UsageError('FOLDER is required: the new folder to copy the sample into.')
    if (existsSync(folder)) throw new UsageError(`${folder} already exists.`)
    cpSync(join(FOLDER, name), folder, { recursive: true })
    writeFileSync(join(folder, '.gitignore'), '.env\nnode_modules/\n') // the secret key is in .env
    const hasSdk = await addSdk(name, folder)
    const sdk = hasSdk ? ' with the SDK' : ''
    if (values.json) print(context, { folder: resolve(folder), hasSdk })
    else out(`Copied to ${resolve(folder)}${sdk}. See its readme.md for how to start it.\n`)
    return 0
  },
}
