import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { type Merchant, updateMerchant } from '../../core/merchants/index.ts'
import { audit } from '../../core/security/audit.ts'
import { findPerson, type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { openSecondPerson } from './actions.ts'
import { approvalErrors } from './errors.ts'
import { type ApprovalPolicy, policyOf, readPolicy, storedPolicy } from './policy.ts'
import {
  approveChange,
  deletePolicyChange,
  findPolicyChange,
  type PolicyChangeRow,
  putPolicyChange,
  selectDueChanges,
} from './repository.ts'

/** A policy change takes effect a day later, so that the team can object. */
const WAITING_SECONDS = 86_400

/** Reads the current policy and the pending change, if any. */
export async function readPolicies({ db }: Core, merchant: Merchant) {
  const change = await findPolicyChange(db, merchant.id)
  const requester = change === undefined ? undefined : await findPerson(db, change.askedBy)
  return {
    policy: policyOf(merchant),
    change: change && { ...change, policy: readPolicy(change.policy), askedByName: requester?.name ?? '' },
  }
}

/**
 * Requests a policy change. It needs the approval of another owner or, if there is none, of another approver, and always
 * waits a day.
 */
export async function requestPolicy(
  core: Core,
  merchant: Merchant,
  person: SignedIn,
  requested: ApprovalPolicy,
  by: By,
): Promise<void> {
  const { personId } = person
  const owners = (await selectTeam(core.db, merchant.id)).filter(({ role }) => role === 'owner')
  if (owners.every((owner) => owner.personId === personId)) {
    const { changeApprovalPolicy: route } = contract
    const body = storedPolicy(requested)
    await openSecondPerson(core)(merchant, person, { route, twoPeople: route.twoPeople, input: { body } }, by)
  }
  await unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const merchantId = merchant.id
    const owners = (await selectTeam(tx, merchantId)).filter(({ role }) => role === 'owner')
    const isOnly = owners.every((owner) => owner.personId === personId)
    const policy = storedPolicy(requested)
    const countsFrom = secondsAfter(at, WAITING_SECONDS)
    await putPolicyChange(tx, {
      merchantId,
      policy,
      askedBy: personId,
      approvedBy: isOnly ? personId : null,
      countsFrom,
    })
    const before = storedPolicy(policyOf(merchant))
    audit(unit, { ...by, merchantId, act: 'approval-policy.request', details: { before, after: policy, isOnly } })
  })
}

/** Approves a change that another owner requested. */
export const approvePolicy = (
  core: Core,
  { id: merchantId }: Merchant,
  { personId }: SignedIn,
  by: By,
): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const change = await findPolicyChange(unit.tx, merchantId)
    if (change === undefined) throw approvalErrors.noChange()
    if (change.askedBy === personId) throw approvalErrors.ownChange()
    await approveChange(unit.tx, merchantId, personId)
    audit(unit, { ...by, merchantId, act: 'approval-policy.approve', details: { after: change.policy } })
  })

export const withdrawPolicy = (core: Core, { id: merchantId }: Merchant, by: By): Promise<void> =>
  unitOfWork(core, async (unit) => {
    if (!(await deletePolicyChange(unit.tx, merchantId))) throw approvalErrors.noChange()
    audit(unit, { ...by, merchantId, act: 'approval-policy.withdraw' })
  })

/** Applies policy changes that are due. */
export const policySweep = (core: Core): Sweep => ({
  name: 'approval policies',
  run: async (at, limit) => {
    const due = await selectDueChanges(core.db, at, limit)
    for (const change of due) await applyChange(core, change)
    return due.length
  },
})

const applyChange = (core: Core, { merchantId, policy, askedBy }: PolicyChangeRow): Promise<void> =>
  core.directory.change(merchantId, async (unit) => {
    if (!(await deletePolicyChange(unit.tx, merchantId))) return // another node was faster
    updateMerchant(unit.tx, merchantId, { approvalPolicy: policy })
    const details = { after: policy, askedBy: `person/${askedBy}` }
    audit(unit, { merchantId, act: 'approval-policy.change', actor: 'worker', details })
  })
