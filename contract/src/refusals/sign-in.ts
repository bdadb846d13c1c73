import { refusals } from '../refusal.ts'

/** Errors of sign-in and of a user's own account. */
export const signInRefusals = refusals({
  weakPassword: {
    code: 'WEAK_PASSWORD',
    status: 422,
    text: 'Choose another password: {reason}',
    cause: 'A new password is too short, too common, or contains the email address.',
  },
  // One error for both an unknown address and a wrong password, so that it does not reveal who has an account.
  wrongSignIn: {
    code: 'WRONG_SIGN_IN',
    status: 401,
    text: 'Wrong email address or password',
    cause: 'No user has this address, or the password is wrong.',
  },
  wrongSecondFactor: {
    code: 'WRONG_SECOND_FACTOR',
    status: 422,
    text: 'This code is wrong or has already been used',
    cause: 'The code or passkey does not belong to the user, or the code was already used.',
  },
  deadLink: {
    code: 'LINK_NOT_VALID',
    status: 404,
    text: 'This link has expired or has already been used',
    cause: 'The link does not exist, has expired or was already used.',
  },
  unknownSession: {
    code: 'UNKNOWN_SESSION',
    status: 404,
    text: 'This session no longer exists',
    cause: 'The user has no such session or device.',
  },
  unknownSecondFactor: {
    code: 'UNKNOWN_SECOND_FACTOR',
    status: 404,
    text: 'Could not find this second factor',
    cause: 'The user has no such second factor.',
  },
  lastSecondFactor: {
    code: 'LAST_SECOND_FACTOR',
    status: 422,
    text: 'This is your last second factor: set up another one first',
    cause: 'In live mode, every user needs a second factor.',
  },
  notInTeam: {
    code: 'NOT_IN_TEAM',
    status: 404,
    text: 'You are not a member of this merchant’s team',
    cause: 'The user is not a member of this merchant’s team.',
  },
})

/** Errors of single sign-on. */
export const signOnRefusals = refusals({
  noSignOn: {
    code: 'NO_SIGN_ON',
    status: 404,
    text: 'This team has no single sign-on: check the address, or sign in with your password',
    cause: 'No team with an identity provider has this code.',
  },
  signOnRejected: {
    code: 'SIGN_ON_REJECTED',
    status: 403,
    text: 'Single sign-on failed: {reason}',
    cause: 'The identity provider’s response is not valid for this browser and team, or its user is not in the team.',
    example: 'Single sign-on failed: no one with your email address is in this team. Ask an owner to invite you',
  },
  providerFailed: {
    code: 'PROVIDER_FAILED',
    status: 503,
    text: 'The identity provider does not respond as expected: {reason}',
    cause: 'The provider could not be reached in time, or its response does not follow OpenID Connect.',
    example: 'The identity provider does not respond as expected: no response within 5 s',
  },
})

/** Errors of team changes. */
export const teamRefusals = refusals({
  unknownMember: {
    code: 'UNKNOWN_MEMBER',
    status: 404,
    text: 'Could not find this team member',
    cause: 'No team member and no open invitation has this ID.',
  },
  roleTooHigh: {
    code: 'ROLE_TOO_HIGH',
    status: 403,
    text: 'You cannot give a right that you do not have yourself, or change a role above your own',
    cause:
      'The role has permissions that the caller lacks, for example an admin invites finance, or the member’s role is above the caller’s own.',
  },
  lastOwner: {
    code: 'LAST_OWNER',
    status: 422,
    text: 'A merchant needs an owner: make someone else an owner first',
    cause: 'The change would leave the merchant without an owner.',
  },
  alreadyInTeam: {
    code: 'ALREADY_IN_TEAM',
    status: 422,
    text: 'This person is already in your team',
    cause: 'The invited person is already in the team.',
  },
})
