import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { httpErrors } from '../../../platform/http/server.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type BuiltFile, type BuiltFiles, FOREVER, sendBuiltFile } from './files.ts'

const HASH_LENGTH = 12
const HASH = new RegExp(`^[0-9a-f]{${HASH_LENGTH}}$`)
const FIVE_MINUTES = 'public, max-age=300'
/** At most this many older versions are cached in memory, because few pages still use them. */
const OLDER_VERSIONS_MAX = 20
/** A page that pins the script's hash loads the script cross-origin, and these headers permit that. */
const FOR_ALL_SITES = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }

/** Pages that were written for Monnify load this script under the name `monnify.js`. */
const PATHS = ['/plugin/checkout.js', '/plugin/monnify.js']

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH)

/** Returns the URL and the integrity hash with which a page loads exactly this script. */
export const pinnedScript = ({ plain }: BuiltFile) => ({
  path: `/plugin/checkout.${hashOf(plain)}.js`,
  integrity: `sha384-${createHash('sha384').update(plain).digest('base64')}`,
})

/**
 * Serves the inline script at a hashed URL whose content never changes. Every version ever served is stored, so a page
 * that pins an old one still works after an upgrade.
 */
export async function inlineScriptRoutes(
  http: FastifyInstance,
  { db, wall, files }: { readonly db: Db; readonly wall: Clock; readonly files: BuiltFiles },
): Promise<void> {
  const script = files.find('plugin.js')
  const current = hashOf(script.plain)
  await publish(db, current, script.plain.toString(), wall.now())
  const older = new Map<string, string>()

  async function findOlder(hash: string): Promise<string | undefined> {
    const known = older.get(hash)
    if (known !== undefined || !HASH.test(hash)) return known
    const content = await readPublished(db, hash)
    if (older.size >= OLDER_VERSIONS_MAX) older.clear()
    if (content !== undefined) older.set(hash, content)
    return content
  }

  for (const path of PATHS)
    http.get(path, async (request, reply) => sendBuiltFile(request, reply.headers(FOR_ALL_SITES), script, FIVE_MINUTES))
  http.get('/plugin/checkout.:hash.js', async (request, reply) => {
    const { hash } = request.params as { readonly hash: string }
    if (hash === current) return sendBuiltFile(request, reply.headers(FOR_ALL_SITES), script, FOREVER)
    const content = await findOlder(hash)
    if (content === undefined) throw httpErrors.unknownPath(request.url.split('?')[0] ?? '')
    return reply
      .headers({ ...FOR_ALL_SITES, 'cache-control': FOREVER })
      .type(script.type)
      .send(content)
  })
}

async function publish(db: Db, hash: string, content: string, at: Date): Promise<void> {
  await db`
    insert into inline_script (hash, content, published_at) values (${hash}, ${content}, ${at})
        on conflict (hash) do nothing`
}

async function readPublished(db: Db, hash: string): Promise<string | undefined> {
  const [row] = await db<{ readonly content: string }[]>`select content from inline_script where hash = ${hash}`
  return row?.content
}
