import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { Email, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personRefusals, signInRefusals } from '../refusals/index.ts'
import { ANY_PERSON, OPERATOR_PERMISSIONS, OPERATOR_ROLES, PERSON_PERMISSIONS, ROLES } from '../roles.ts'
import { group, route } from '../route.ts'

/** The header of every call of the dashboard that changes something: a value of the session's own, which `me` tells. */
export const CSRF_HEADER = 'kobo-csrf'

export const PASSWORD_LENGTH_MIN = 10
const Password = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: 200,
  'x-rule': `a password of ${PASSWORD_LENGTH_MIN} to 200 characters`,
})
const Name = Type.String({ pattern: '^\\P{C}{1,100}$', 'x-rule': '1 to 100 printable characters' })
/** What a link has behind its last slash. */
const LinkToken = Type.String({ minLength: 1, maxLength: 128 })
/** Six digits of a program that makes codes, or a backup code. */
const Code = Type.String({ minLength: 6, maxLength: 20 })

/** How far somebody has come in. */
const Stage = words(['in', 'second-factor', 'enrolment'])
const Come = Type.Object({ stage: Stage })

/** What whoever is yet to sign in may ask. */
const OPEN = { access: 'open', permission: NO_PERMISSION.login } as const
/** What is a person's own. */
const OWN = { access: 'person', permission: NO_PERMISSION.ownBooks, person: ANY_PERSON.own } as const

export const signInWithPassword = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-in',
  summary: 'Sign in with e-mail address and password',
  body: Type.Object({ email: Email, password: Type.String({ maxLength: 200 }) }),
  reply: Come,
  refusals: [signInRefusals.wrongSignIn],
})

export const signUp = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-up',
  summary: 'Ask for a link with which to make a merchant of one’s own',
  environment: 'sandbox',
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    link: nullable(Type.String({ description: 'where no mail server is named; else it is mailed' })),
  }),
})

export const requestReset = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/reset',
  summary: 'Have a link mailed with which to set a new password',
  description: 'Answers the same whether or not somebody has the address.',
  body: Type.Object({ email: Email }),
  reply: NoBody,
})

export const LINK_KINDS = ['INVITATION', 'RESET', 'VERIFICATION', 'SIGN_IN'] as const

export const lookAtLink = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/link',
  summary: 'What a link that was mailed is for',
  body: Type.Object({ token: LinkToken }),
  reply: Type.Object({
    kind: words(LINK_KINDS),
    email: Type.String(),
    merchant: nullable(Type.String({ description: 'into whose team it leads' })),
    role: nullable(words([...ROLES, ...OPERATOR_ROLES])),
    isKnown: Type.Boolean({ description: 'whether the person has a password already, and shows it' }),
  }),
  refusals: [signInRefusals.deadLink],
})

export const takeLink = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/link/take',
  summary: 'Come in by a link: accept an invitation, set a password',
  body: Type.Object({
    token: LinkToken,
    name: Type.Optional(Name),
    password: Type.Optional(Password),
    merchantName: Type.Optional(Name),
  }),
  reply: Come,
  refusals: [signInRefusals.deadLink, signInRefusals.wrongSignIn],
})

export const whoAmI = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/me',
  summary: 'Who is signed in, and what they may do',
  stage: 'second-factor',
  reply: Type.Object({
    stage: Stage,
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    merchant: nullable(Type.Object({ code: Type.String(), name: Type.String() })),
    role: nullable(words([...ROLES, ...OPERATOR_ROLES])),
    permissions: Type.Array(words([...PERSON_PERMISSIONS, ...OPERATOR_PERMISSIONS])),
    hasSecondFactor: Type.Boolean(),
    isFresh: Type.Boolean({ description: 'whether what asks for a fresh second factor goes through at the moment' }),
    csrf: Type.String({ description: 'what every call that changes something carries in the header `Kobo-Csrf`' }),
    environment: words(['sandbox', 'live']),
  }),
})

export const showSecondFactor = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/second-factor',
  summary: 'Show the second factor: to come in, or to confirm something',
  stage: 'second-factor',
  body: Type.Object({ code: Code }),
  reply: Come,
  refusals: [signInRefusals.wrongSecondFactor],
})

/** Bytes as browsers hand them over. */
const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]{1,4096}$', 'x-rule': 'base64url of at most 3 kB' })
const Assertion = Type.Object({ credentialId: Bytes, clientData: Bytes, authenticatorData: Bytes, signature: Bytes })

export const askPasskey = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/passkey',
  summary: 'Something for a passkey to sign',
  reply: Type.Object({ challenge: Type.String(), host: Type.String() }),
})

export const signInWithPasskey = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/passkey/sign-in',
  summary: 'Sign in with a passkey, which is both factors',
  body: Assertion,
  reply: Come,
  refusals: [signInRefusals.wrongSignIn],
})

export const showPasskey = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/second-factor/passkey',
  summary: 'Show a passkey as the second factor: to come in, or to confirm something',
  stage: 'second-factor',
  body: Assertion,
  reply: Come,
  refusals: [signInRefusals.wrongSecondFactor],
})

export const signOut = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/sign-out',
  summary: 'Sign out',
  stage: 'second-factor',
  reply: NoBody,
})

export const signIn = group({
  title: 'Sign-in',
  text: 'How people come in to the dashboard.',
  routes: {
    signInWithPassword,
    signUp,
    requestReset,
    lookAtLink,
    takeLink,
    whoAmI,
    showSecondFactor,
    askPasskey,
    signInWithPasskey,
    showPasskey,
    signOut,
  },
  refusals: { ...personRefusals, ...signInRefusals },
})
