import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { kobo, nairaOrZero, toNaira } from '../../kernel/money.ts'
import { approve, type ListedRequest, listRequests, readRequest, reject } from './approvals.ts'
import { AUTHORIZE_SECONDS_MAX } from './otp.ts'
import type { ApprovalPolicy } from './policy.ts'
import { approvePolicy, readPolicies, requestPolicy, withdrawPolicy } from './policy-service.ts'
import type { TransferDeps } from './service.ts'

export function approvalRoutes(serve: Serve, deps: TransferDeps): void {
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
  serve(contract.getApprovalPolicy, async (_, { merchant }) => {
    const { policy, change } = await readPolicies(core, merchant)
    return {
      policy: showPolicy(policy),
      change:
        change === undefined
          ? null
          : {
              policy: showPolicy(change.policy),
              askedBy: change.askedByName,
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

/** A request as the dashboard shows it. */
const show = ({ request, decisions, names, mayDecide }: ListedRequest): Reply<typeof contract.approve> => ({
  id: String(request.ownerId),
  kind: request.kind,
  reference: request.reference,
  status: request.status,
  amount: toNaira(kobo(request.amount)),
  fee: toNaira(kobo(request.fee)),
  destination:
    request.destinationBankCode === null || request.destinationAccountNumber === null
      ? null
      : {
          bankCode: request.destinationBankCode,
          accountNumber: request.destinationAccountNumber,
          accountName: request.destinationAccountName,
        },
  itemsCount: request.itemsCount,
  narration: request.narration,
  madeBy: request.madeBy === null ? null : (names.get(request.madeBy) ?? 'a former team member'),
  approvalsNeeded: request.approvalsNeeded,
  decisions: decisions.map(({ personId, verdict, reason, at }) => ({
    by: names.get(personId) ?? 'a former team member',
    verdict,
    reason,
    at: at.toISOString(),
  })),
  mayDecide,
  hash: request.hash,
  createdAt: request.createdAt.toISOString(),
  expiresAt: secondsAfter(request.createdAt, AUTHORIZE_SECONDS_MAX).toISOString(),
})
