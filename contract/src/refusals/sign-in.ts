import { refusals } from '../refusal.ts'

/** How people are refused on their way in, and in what is their own. */
export const signInRefusals = refusals({
  // The same for an unknown address and a wrong password: which of the two it was is nobody's business.
  wrongSignIn: {
    code: 'WRONG_SIGN_IN',
    status: 401,
    text: 'E-mail address or password is wrong',
    cause: 'There is nobody with this address, or the password is not theirs.',
  },
  wrongSecondFactor: {
    code: 'WRONG_SECOND_FACTOR',
    status: 422,
    text: 'This code is wrong, or was used already',
    cause: 'The code or passkey is not the person’s, or the code was taken before.',
  },
  deadLink: {
    code: 'LINK_NOT_VALID',
    status: 404,
    text: 'This link has expired, or was used already',
    cause: 'There is no such link, or it is over.',
  },
  unknownSession: {
    code: 'UNKNOWN_SESSION',
    status: 404,
    text: 'There is no such session any more',
    cause: 'The person has no such session or device.',
  },
  unknownSecondFactor: {
    code: 'UNKNOWN_SECOND_FACTOR',
    status: 404,
    text: 'There is no such second factor',
    cause: 'The person has no such second factor.',
  },
  lastSecondFactor: {
    code: 'LAST_SECOND_FACTOR',
    status: 422,
    text: 'This is your last second factor: set up another one first',
    cause: 'In live nobody is without a second factor.',
  },
  notInTeam: {
    code: 'NOT_IN_TEAM',
    status: 404,
    text: 'You are not in the team of this merchant',
    cause: 'The person is in no such merchant’s team.',
  },
})

/** How changes of a team are refused. */
export const teamRefusals = refusals({
  unknownMember: {
    code: 'UNKNOWN_MEMBER',
    status: 404,
    text: 'There is nobody like that in your team',
    cause: 'Nobody of the team, and no open invitation, has this id.',
  },
  roleTooHigh: {
    code: 'ROLE_TOO_HIGH',
    status: 403,
    text: 'You cannot give, change or take away a role above your own',
    cause: 'The role is above that of the person who calls, or makes an approver of somebody by who is none.',
  },
  lastOwner: {
    code: 'LAST_OWNER',
    status: 422,
    text: 'A merchant always has an owner: make somebody else one first',
    cause: 'The change would leave the merchant without an owner.',
  },
  alreadyInTeam: {
    code: 'ALREADY_IN_TEAM',
    status: 422,
    text: 'This person is in your team already',
    cause: 'Who is invited is in the team.',
  },
})
