import { parseArgs } from 'node:util'
import { OPERATOR_ROLES, type OperatorRole } from '@kobo/contract'
import { audit, NO_MERCHANT } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { linkAddress, makeLink } from '@kobo/gateway/features/sign-in/index.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const operatorCreate: Command = {
  usage: `EMAIL [--role ${OPERATOR_ROLES.join('|')}]`,
  summary: 'Invites somebody to the operator’s dashboard; prints the link',
  details:
    '\nThe link leads in once, within 7 days: hand it over by a way that you trust. Whoever opens it chooses a password and sets up\na second factor.\n',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({ args, options: { role: { type: 'string' } }, allowPositionals: true })
    const [email, ...more] = positionals
    if (email === undefined || more.length > 0 || !/^[^@\s]+@[^@\s]+$/.test(email))
      throw new UsageError('Name one e-mail address.')
    const role = OPERATOR_ROLES.find((one) => one === (values.role ?? 'operator'))
    if (role === undefined) throw new UsageError(`There is no role ${values.role}.`)
    return withCore(around, async ({ core, config, baseUrl }) => {
      const link = await unitOfWork(core, (unit) => {
        const details = { email, role } satisfies { email: string; role: OperatorRole }
        audit(unit, { merchantId: NO_MERCHANT, act: 'operator.invite', actor: 'command line', details })
        return makeLink(unit, { kind: 'INVITATION', email, role, at: core.wall.now() })
      })
      print(around, { email, role, link: linkAddress(config.dashboardUrl ?? baseUrl, link.token) })
      return 0
    })
  },
}
