import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { nairaOrZero, toNaira } from '../../kernel/money.ts'
import { type ApprovalPolicy, AUTHORIZE_SECONDS_MAX } from './policy.ts'
import { approvePolicy, readPolicies, requestPolicy, withdrawPolicy } from './policy-service.ts'
import { type ApprovalDeps, approve, type ListedRequest, listRequests, readRequest, reject } from './service.ts'

export function approvalRoutes(serve: Serve, deps: ApprovalDeps): void {
  const { core } = deps
  serve(contract.listApprovals, async ({ query }, { merchant, person }) => {
    const { view = 'waiting', before } = query
    const requested = { view, before: before === undefined ? undefined : BigInt(before) }
    return { requests: (await listRequests(deps, merchant, person, requested)).map(show) }
  })
  serve(contract.approve, async ({ params, body }, { merchant, person, by }) => {
    const id = BigInt(params.id)
    await approve(deps, merchant, person, { id, hash: body.hash }, by)
    return show(await readRequest(deps, merchant, person, id))
  })
  serve(contract.reject, async ({ params, body }, { merchant, person, by }) => {
    const id = BigInt(params.id)
    await reject(deps, merchant, person, { id, reason: body.reason }, by)
    return show(await readRequest(deps, merchant, person, id))
  })
  serve(contract.getApprovalPolicy, async (_, { merchant, person }) => {
    const { policy, change } = await readPolicies(core, merchant)
    return {
      policy: showPolicy(policy),
      change:
        change === undefined
          ? null
          : {
              policy: showPolicy(change.policy),
              askedBy: change.askedByName,
              isOwn: change.askedBy === person.personId,
              isApproved: change.approvedBy !== null,
              countsFrom: change.countsFrom.toISOString(),
            },
    }
  })
  serve(contract.changeApprovalPolicy, ({ body }, { merchant, person, by }) => {
    const { freeBelow, twoFrom, soleUpTo, coversApi } = body
    const requested = {
      freeBelow: nairaOrZero(freeBelow),
      twoFrom: twoFrom === undefined || twoFrom === null ? null : nairaOrZero(twoFrom),
      soleUpTo: nairaOrZero(soleUpTo),
      coversApi,
    }
    return done(requestPolicy(core, merchant, person, requested, by))
  })
  serve(contract.approvePolicyChange, (_, { merchant, person, by }) => done(approvePolicy(core, merchant, person, by)))
  serve(contract.withdrawPolicyChange, (_, { merchant, by }) => done(withdrawPolicy(core, merchant, by)))
}

const showPolicy = ({ freeBelow, twoFrom, soleUpTo, coversApi }: ApprovalPolicy) => ({
  freeBelow: toNaira(freeBelow),
  twoFrom: twoFrom === null ? null : toNaira(twoFrom),
  soleUpTo: toNaira(soleUpTo),
  coversApi,
})

const show = ({ request, payout, ...listed }: ListedRequest): Reply<typeof contract.approve> => ({
  id: String(request.ownerId),
  kind: request.kind,
  reference: payout.reference,
  status: payout.status,
  amount: toNaira(payout.amount),
  fee: toNaira(payout.fee),
  recipient: payout.recipient,
  itemsCount: payout.itemsCount,
  narration: payout.narration,
  madeBy: request.madeBy === null ? null : nameOf(listed, request.madeBy),
  approvalsNeeded: request.approvalsNeeded,
  approvalsLeft: listed.left,
  decisions: listed.decisions.map(({ personId, verdict, reason, counts, at }) => ({
    by: nameOf(listed, personId),
    verdict,
    reason,
    counts,
    at: at.toISOString(),
  })),
  isOwn: listed.isOwn,
  mayDecide: listed.mayDecide,
  hash: request.hash,
  createdAt: request.createdAt.toISOString(),
  expiresAt: secondsAfter(request.createdAt, AUTHORIZE_SECONDS_MAX).toISOString(),
})

const nameOf = ({ names }: Pick<ListedRequest, 'names'>, personId: bigint): string =>
  names.get(personId) ?? 'a former team member'
