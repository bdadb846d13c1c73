import type { Core } from '../../core/core.ts'
import { type Notice, notify } from '../../core/messages/notices.ts'
import { selectMailed } from '../../core/messages/notification-choices.ts'
import { type Member, selectTeam } from '../../core/sessions/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { approversOf } from './approvers.ts'
import { AUTHORIZE_SECONDS_MAX } from './policy.ts'
import { markNotified, type RequestRow, selectUnnotified } from './repository.ts'

/**
 * Mails approvers about waiting payouts and actions. One mail covers all requests that came in at about the same time.
 */
export const approvalMailSweep = (core: Core): Sweep => ({
  name: 'approval mails',
  runShard: async (shard, at, limit) => {
    const openSince = secondsAfter(at, -AUTHORIZE_SECONDS_MAX)
    const due = await selectUnnotified(core.db, shard, openSince, limit)
    for (const { merchantId } of due) await mailApprovers(core, merchantId, openSince)
    return due.length
  },
})

const mailApprovers = (core: Core, merchantId: bigint, openSince: Date): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const requests = await markNotified(unit.tx, merchantId, openSince, unit.at)
    const team = await selectTeam(unit.tx, merchantId)
    const approvers = approversOf(team)
    const mailed = await selectMailed(unit.tx, merchantId, 'APPROVALS')
    notify(
      unit,
      mailed.filter(({ personId }) => approvers.has(personId)).flatMap((approver) => mailTo(approver, team, requests)),
    )
  })

/** Returns the mail to one approver about the requests of other team members; empty if there are none. */
function mailTo(approver: Member, team: readonly Member[], requests: readonly RequestRow[]): readonly Notice[] {
  const others = requests.filter(({ madeBy }) => madeBy !== approver.personId)
  if (others.length === 0) return []
  const makers = new Set(
    others.map(({ madeBy }) => team.find(({ personId }) => personId === madeBy)?.name ?? 'Your server'),
  )
  const subject = others.length === 1 ? 'A request needs your approval' : `${others.length} requests need your approval`
  const text = [
    `${subject}. Created by: ${[...makers].join(', ')}.`,
    'Check what it does before you approve. A request that no one approves within a day expires.',
  ].join('\n')
  return [{ merchantId: approver.merchantId, recipient: approver.email, subject, text, page: '/dashboard/approvals' }]
}
