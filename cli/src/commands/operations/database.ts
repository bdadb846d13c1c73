import { parseArgs } from 'node:util'
import { acceptTimeline } from '@kobo/gateway/core/timeline.ts'
import { type Command, print, withCore } from '../../command.ts'
import { nameIn, operatorIn } from '../../operator.ts'

export const databaseAcceptTimeline: Command = {
  usage: '--by EMAIL',
  summary: 'Accepts a database that was restored to an earlier point in time',
  details: `
After a failover Kobo rejects the former primary, and any database that was restored to an earlier point in time: both may lack work
that was acknowledged since. If the restore was deliberate and the newer server is stopped for good, this command accepts the database
for every process. Then compare with the banks: ./kobo reconcile status. The operator proves who they are with KOBO_OPERATOR_TOKEN.
`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { by: { type: 'string' } } })
    nameIn(values.by)
    return withCore(
      context,
      async (gateway) => {
        const { by } = await operatorIn(context, gateway, values.by)
        print(context, { timeline: await acceptTimeline(gateway.core, by) })
        return 0
      },
      () => undefined, // this command works on any server
    )
  },
}
