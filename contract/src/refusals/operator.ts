import { refusals } from '../refusal.ts'

/** How the operator's routes about merchants refuse. */
export const operatorRefusals = refusals({
  unknownMerchant: {
    code: 'UNKNOWN_MERCHANT_CODE',
    status: 404,
    text: 'There is no such merchant',
    cause: 'No merchant has this code.',
  },
  standingStays: {
    code: 'STANDING_NOT_CHANGED',
    status: 422,
    text: 'The merchant is {standing}',
    cause: 'It stands so already, or it is closed.',
  },
  moneyLeft: {
    code: 'MONEY_LEFT',
    status: 422,
    text: 'The merchant still has {amount} naira in {account}: pay it out first',
    cause: 'A merchant is closed only once none of its money is left here.',
  },
  hasOwner: {
    code: 'MERCHANT_HAS_OWNER',
    status: 422,
    text: 'The merchant has an owner, who invites others',
    cause: 'The operator invites an owner only where there is none.',
  },
  contractStays: {
    code: 'CONTRACT_NOT_CHANGED',
    status: 422,
    text: '{reason}',
    cause: 'The merchant has no such contract, too many, or this is the last one that is enabled.',
  },
})

/** How what needs two operators is refused. */
export const changeRefusals = refusals({
  nothingToChange: {
    code: 'NOTHING_TO_CHANGE',
    status: 422,
    text: 'Name what is to change',
    cause: 'The change names no setting.',
  },
  unknownContract: {
    code: 'UNKNOWN_CONTRACT_OF_MERCHANT',
    status: 422,
    text: 'The merchant has no contract {contract}',
    cause: 'The contract code is not one of this merchant’s.',
  },
  consentWanting: {
    code: 'CONSENT_BASIS_WANTING',
    status: 422,
    text: 'Say by whose consent: what the merchant asserts is kept',
    cause: 'In live a permission to look people up or to charge their cards again needs what the merchant asserts.',
  },
  badPrice: {
    code: 'PRICE_NOT_POSSIBLE',
    status: 422,
    text: 'The price cannot be set: {reason}',
    cause: 'A step is missing or wrong, the time lies in the past, or too many prices wait for their time.',
  },
  accountWanting: {
    code: 'ACCOUNT_WANTING',
    status: 422,
    text: 'Name bank and account number',
    cause: 'Money that goes to an account needs one.',
  },
  unknownChange: {
    code: 'UNKNOWN_CHANGE',
    status: 404,
    text: 'There is no such change',
    cause: 'No operator has asked for a change with this id.',
  },
  ownChange: {
    code: 'OWN_CHANGE',
    status: 403,
    text: 'Another operator must approve it',
    cause: 'Whoever asks for a change cannot approve it.',
  },
  notWaiting: {
    code: 'CHANGE_NOT_WAITING',
    status: 422,
    text: 'It no longer waits',
    cause: 'It was decided meanwhile, or waited too long.',
  },
})

/** How changes of the operator's own team are refused. */
export const operatorTeamRefusals = refusals({
  staysSo: {
    code: 'OPERATOR_STAYS_SO',
    status: 422,
    text: '{email} is {role} already',
    cause: 'Whoever is to be invited, to change or to leave is already what is asked for.',
  },
  unknownInvitation: {
    code: 'UNKNOWN_OPERATOR_INVITATION',
    status: 404,
    text: 'There is no such invitation',
    cause: 'It was taken, withdrawn, or is too old.',
  },
})

/** How the operator's other routes refuse. */
export const workRefusals = refusals({
  unknownEvent: {
    code: 'UNKNOWN_EVENT_OF_MERCHANT',
    status: 404,
    text: 'The merchant has no such event',
    cause: 'No event of this merchant has this id.',
  },
  notRouted: {
    code: 'OPERATION_NOT_ROUTED',
    status: 422,
    text: 'It is not routed by the table',
    cause: 'The routing table decides about some operations only.',
  },
})
