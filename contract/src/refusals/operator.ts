import { refusals } from '../refusal.ts'

/** Errors of the operator's merchant routes. */
export const operatorRefusals = refusals({
  unknownMerchant: {
    code: 'UNKNOWN_MERCHANT_CODE',
    status: 404,
    text: 'Could not find this merchant',
    cause: 'No merchant has this code.',
  },
  statusStays: {
    code: 'STANDING_NOT_CHANGED',
    status: 422,
    text: 'The merchant is already {standing}',
    cause: 'The merchant already has this status, or it is closed.',
  },
  moneyLeft: {
    code: 'MONEY_LEFT',
    status: 422,
    text: 'The merchant still has {amount} naira in {account}: close it once that is in its wallets or paid out',
    cause:
      'A merchant can be closed only when all its money is in its wallets: nothing may be unsettled, disputed, reserved or owed.',
  },
  orderOpen: {
    code: 'ORDER_OPEN',
    status: 422,
    text: 'The outcome of {reference} is not final yet: close the merchant once it is',
    cause: 'A merchant can be closed only when no payout, refund or other order is pending or may still be returned.',
  },
  notClosed: {
    code: 'MERCHANT_NOT_CLOSED',
    status: 422,
    text: 'The merchant is {standing}: it can pay its money out itself, or be closed',
    cause: 'Operators pay out only what a closed merchant has left.',
  },
  nothingLeft: {
    code: 'NOTHING_LEFT',
    status: 422,
    text: 'Wallet {accountNumber} of the merchant is empty or does not exist',
    cause: 'There is nothing to pay out.',
  },
  hasOwner: {
    code: 'MERCHANT_HAS_OWNER',
    status: 422,
    text: 'The merchant has an owner: ask them to invite others',
    cause: 'The operator can invite an owner only if the merchant has none.',
  },
  contractStays: {
    code: 'CONTRACT_NOT_CHANGED',
    status: 422,
    text: '{reason}',
    cause: 'The merchant has no such contract, has too many, or this is the last enabled one.',
  },
})

/** Errors of changes that need two operators. */
export const changeRefusals = refusals({
  nothingToChange: {
    code: 'NOTHING_TO_CHANGE',
    status: 422,
    text: 'Choose at least one setting to change',
    cause: 'The request changes no setting.',
  },
  unknownContract: {
    code: 'UNKNOWN_CONTRACT_OF_MERCHANT',
    status: 422,
    text: 'The merchant has no contract {contract}',
    cause: 'The contract code belongs to another merchant, or does not exist.',
  },
  consentMissing: {
    code: 'CONSENT_BASIS_WANTING',
    status: 422,
    text: 'Enter the merchant’s statement of its customers’ consent: it is kept on record',
    cause:
      'In live mode, permissions to look customers up or to charge their cards again require the merchant’s statement of consent.',
  },
  badPrice: {
    code: 'PRICE_NOT_POSSIBLE',
    status: 422,
    text: 'The price cannot be set: {reason}',
    cause: 'A tier is missing or wrong, the start is in the past, or too many prices are already scheduled.',
  },
  accountMissing: {
    code: 'ACCOUNT_WANTING',
    status: 422,
    text: 'Enter a bank and an account number',
    cause: 'A return to an account needs the account’s bank and number.',
  },
  unknownChange: {
    code: 'UNKNOWN_CHANGE',
    status: 404,
    text: 'Could not find this change',
    cause: 'No requested change has this ID.',
  },
  ownChange: {
    code: 'OWN_CHANGE',
    status: 403,
    text: 'Another operator must approve this change',
    cause: 'The operator who requested a change cannot approve it.',
  },
  notWaiting: {
    code: 'CHANGE_NOT_WAITING',
    status: 422,
    text: 'This change is no longer waiting for approval',
    cause: 'The change was already decided, or expired.',
  },
})

/** Errors of changes to the operator's own team. */
export const operatorTeamRefusals = refusals({
  roleUnchanged: {
    code: 'OPERATOR_STAYS_SO',
    status: 422,
    text: '{email} already has the role {role}',
    cause: 'The user already has this role or status.',
  },
  unknownInvitation: {
    code: 'UNKNOWN_OPERATOR_INVITATION',
    status: 404,
    text: 'Could not find this invitation',
    cause: 'The invitation was accepted, withdrawn or has expired.',
  },
})

/** Errors of the operator's other routes. */
export const workRefusals = refusals({
  unknownEvent: {
    code: 'UNKNOWN_EVENT_OF_MERCHANT',
    status: 404,
    text: 'Could not find this event',
    cause: 'The merchant has no event with this ID.',
  },
  notRouted: {
    code: 'OPERATION_NOT_ROUTED',
    status: 422,
    text: 'This operation is not in the routing table',
    cause: 'The routing table covers only some operations.',
  },
})
