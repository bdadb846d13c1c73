import { parseArgs } from 'node:util'
import { OPERATOR_ROLES, type OperatorRole } from '@kobo/contract'
import { audit, NO_MERCHANT } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { createLink, linkAddress } from '@kobo/gateway/features/sign-in/index.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'

export const operatorCreate: Command = {
  usage: `EMAIL [--role ${OPERATOR_ROLES.join('|')}]`,
  summary: 'Invites an operator to the dashboard and prints the sign-in link',
  details:
    '\nThe link works once and expires in 7 days. Send it over a secure channel: its holder chooses the password and the second factor.\n',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, options: { role: { type: 'string' } }, allowPositionals: true })
    const [email, ...more] = positionals
    if (email === undefined || more.length > 0 || !/^[^@\s]+@[^@\s]+$/.test(email))
      throw new UsageError('Specify one email address.')
    const role = OPERATOR_ROLES.find((one) => one === (values.role ?? 'operator'))
    if (role === undefined) throw new UsageError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`)
    return withCore(context, async ({ core, config, baseUrl }) => {
      const link = await unitOfWork(core, (unit) => {
        const details = { email, role } satisfies { email: string; role: OperatorRole }
        audit(unit, { merchantId: NO_MERCHANT, act: 'operator.invite', actor: 'command line', details })
        return createLink(unit, { kind: 'INVITATION', email, role, at: core.wall.now() })
      })
      print(context, { email, role, link: linkAddress(config.dashboardUrl ?? baseUrl, link.token) })
      return 0
    })
  },
}
