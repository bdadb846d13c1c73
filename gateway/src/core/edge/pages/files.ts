import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from '../../../platform/http/server.ts'

export const DIST = new URL('../../../../../web/dist/', import.meta.url)
export const FOREVER = 'public, max-age=31536000, immutable'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** A file of web/dist. All are kept in memory, because they are few and small. */
export interface BuiltFile {
  /** Contains a content hash, so browsers may cache it forever. */
  readonly address: string
  readonly etag: string
  readonly type: string
  readonly plain: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
}

/** The files built by `web/build.js`. */
export interface BuiltFiles {
  readonly find: (name: string) => BuiltFile
  readonly all: readonly BuiltFile[]
}

/** Reads the built files. Throws with instructions if nothing was built. */
export function readBuiltFiles(): BuiltFiles {
  const manifest = new URL('manifest.json', DIST)
  if (!existsSync(manifest))
    throw new Error('The web pages have not been built: start with npm, or run node web/build.js')
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly files: Readonly<Record<string, string>> }
  const read = new Map(Object.entries(files).map(([name, file]) => [name, readBuiltFile(file)]))
  return {
    find: (name) => {
      const file = read.get(name)
      if (file === undefined) throw new Error(`web/build.js does not build ${name}`)
      return file
    },
    all: [...read.values()],
  }
}

const readBuiltFile = (file: string): BuiltFile => ({
  address: `/assets/${file}`,
  etag: `"${file}"`,
  type: TYPES[extname(file)] ?? 'application/octet-stream',
  plain: readFileSync(new URL(file, DIST)),
  brotli: readFileSync(new URL(`${file}.br`, DIST)),
  gzip: readFileSync(new URL(`${file}.gz`, DIST)),
})

/** Serves the built files at their hashed URLs. */
export function builtFileRoutes(http: FastifyInstance, { all }: BuiltFiles): void {
  const byAddress = new Map(all.map((file) => [file.address, file]))
  http.get('/assets/:file', async (request, reply) => {
    const path = `/assets/${(request.params as { readonly file: string }).file}`
    const file = byAddress.get(path)
    if (file === undefined) throw httpErrors.unknownPath(path)
    return sendBuiltFile(request, reply, file, FOREVER)
  })
}

/** Sends a file in the best encoding the browser accepts. */
export function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
  caching: string,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'])
  const form = /\bbr\b/.test(accepted) ? 'brotli' : /\bgzip\b/.test(accepted) ? 'gzip' : 'plain'
  const etag = form === 'plain' ? file.etag : file.etag.replace(/"$/, `.${form}"`)
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': caching })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (form !== 'plain') reply.header('content-encoding', form === 'brotli' ? 'br' : 'gzip')
  return reply.type(file.type).send(file[form])
}
