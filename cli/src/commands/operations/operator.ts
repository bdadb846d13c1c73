import { parseArgs } from 'node:util'
import { OPERATOR_ROLES, type OperatorRole } from '@kobo/contract'
import { audit, NO_MERCHANT } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { createLink, linkAddress } from '@kobo/gateway/features/sign-in/index.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { actorIn, BY, countOperators } from '../../operator.ts'

/** With this many operators, another one can approve each change in the dashboard. */
const OPERATORS_FOR_APPROVAL = 2

export const operatorCreate: Command = {
  usage: `EMAIL [--role ${OPERATOR_ROLES.join('|')}] [--by EMAIL]`,
  summary: 'Invites an operator to the dashboard and prints the sign-in link',
  details:
    '\nThe link works once and expires in 7 days. Send it over a secure channel: its holder chooses the password and the second factor.\n\nIn live mode this is for the first two operators. The second is created by the first, with --by and KOBO_OPERATOR_TOKEN. From then\non operators are invited in the dashboard, and another operator approves.\n',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      options: { role: { type: 'string' }, ...BY },
      allowPositionals: true,
    })
    const [email, ...more] = positionals
    if (email === undefined || more.length > 0 || !/^[^@\s]+@[^@\s]+$/.test(email))
      throw new UsageError('Specify one email address.')
    const role = OPERATOR_ROLES.find((one) => one === (values.role ?? 'operator'))
    if (role === undefined) throw new UsageError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`)
    return withCore(context, async (gateway) => {
      const { core, config, baseUrl } = gateway
      if (config.environment === 'live' && (await countOperators(core)) >= OPERATORS_FOR_APPROVAL)
        throw new UsageError(
          'There are two operators already. Invite others in the dashboard, under Operators: another operator approves.',
        )
      const by = await actorIn(context, gateway, values.by)
      const link = await unitOfWork(core, (unit) => {
        const details = { email, role } satisfies { email: string; role: OperatorRole }
        audit(unit, { merchantId: NO_MERCHANT, act: 'operator.invite', ...by, details })
        return createLink(unit, { kind: 'INVITATION', email, role, at: core.wall.now() })
      })
      print(context, { email, role, link: linkAddress(config.dashboardUrl ?? baseUrl, link.token) })
      return 0
    })
  },
}
