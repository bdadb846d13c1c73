import { parseArgs } from 'node:util'
import { migrateDatabase } from '@kobo/gateway/app/core.ts'
import { borrowDatabase } from '@kobo/gateway/app/data-folder.ts'
import { readConfig } from '@kobo/gateway/platform/config.ts'
import { type Command, print } from '../command.ts'

export const migrateCommand: Command = {
  usage: '',
  summary:
    'Brings the schema up to date and grants the roles what they need, so that the gateway need not know the owner',
  details: `
The owner's address stands in KOBO_MIGRATION_DATABASE_URL; DATABASE_URL and KOBO_VAULT_DATABASE_URL name the roles that are
granted. A gateway that starts with the owner's address does the same by itself.
`,
  run: async (args, around) => {
    parseArgs({ args })
    const config = readConfig(around.env)
    const database = await borrowDatabase(config)
    try {
      print(around, { applied: await migrateDatabase(database.urls, config.environment) })
      return 0
    } finally {
      await database.release()
    }
  },
}
