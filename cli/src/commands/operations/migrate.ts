import { parseArgs } from 'node:util'
import { migrateDatabase } from '@kobo/gateway/app/core.ts'
import { borrowDatabase } from '@kobo/gateway/app/data-folder.ts'
import { readConfig } from '@kobo/gateway/platform/config/config.ts'
import { type Command, print } from '../../command.ts'

export const migrateCommand: Command = {
  usage: '',
  summary: 'Migrates the database and grants the roles, so that the gateway does not need the owner role',
  details: `
KOBO_MIGRATION_DATABASE_URL is the URL of the owner role; DATABASE_URL and KOBO_VAULT_DATABASE_URL name the roles to grant. A
gateway that starts with KOBO_MIGRATION_DATABASE_URL migrates automatically.
`,
  run: async (args, context) => {
    parseArgs({ args })
    const config = readConfig(context.env, 'command')
    const database = await borrowDatabase(config)
    try {
      print(context, { applied: await migrateDatabase(database.urls, config.environment) })
      return 0
    } finally {
      await database.release()
    }
  },
}
