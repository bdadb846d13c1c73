import { parseArgs } from 'node:util'
import { borrowDatabase } from '@kobo/gateway/app/data-folder.ts'
import { selectNodes } from '@kobo/gateway/core/nodes.ts'
import { distribute, readSpread, ShardsError } from '@kobo/gateway/core/shards/index.ts'
import { readConfig } from '@kobo/gateway/platform/config.ts'
import { openDatabase } from '@kobo/gateway/platform/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/migrate.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, UsageError, withDatabase } from '../command.ts'

export const shardsStatus: Command = {
  usage: '',
  summary:
    'Shows how merchants are spread over servers: the servers, their shards, and the tables that are not placed yet',
  run: async (args, around) => {
    parseArgs({ args })
    print(around, await withDatabase(around, readSpread))
    return 0
  },
}

export const shardsDistribute: Command = {
  usage: '',
  summary: 'Spreads merchants over the servers of a Citus cluster, with all that they have',
  details: `
The database is a Citus coordinator that knows its workers. Stop every gateway and make a backup first; then start them again.
It runs as the owner of the tables, who must be a superuser, in KOBO_MIGRATION_DATABASE_URL. It may be stopped at any time:
called again, it goes on where it was, and does nothing where all is done. See docs/scale.md.
`,
  run: async (args, around) => {
    parseArgs({ args })
    const config = readConfig(around.env, 'command')
    const database = await borrowDatabase(config)
    const owner = openDatabase(database.urls.owner ?? database.urls.program, 1)
    const progress = around.isWatched === true ? progressBar(around.err, 'Spreading merchants', 'tables') : NO_PROGRESS
    try {
      await checkMigrated(owner)
      const running = await selectNodes(owner)
      if (running.length > 0)
        throw new UsageError(`${running.length} processes of Kobo use this database: stop them first.`)
      await distribute(owner, progress.show).finally(progress.clear)
      print(around, await readSpread(owner))
      return 0
    } catch (error) {
      throw error instanceof ShardsError ? new UsageError(error.message) : error
    } finally {
      await owner.end()
      await database.release()
    }
  },
}
