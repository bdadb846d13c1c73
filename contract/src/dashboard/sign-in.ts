import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { Email, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personRefusals, signInRefusals } from '../refusals/index.ts'
import { ANY_PERSON, OPERATOR_PERMISSIONS, OPERATOR_ROLES, PERSON_PERMISSIONS, ROLES } from '../roles.ts'
import { group, route } from '../route.ts'
import { Instant } from './lists.ts'

/** The header of every dashboard request that changes something, with the session's token from `me`. */
export const CSRF_HEADER = 'kobo-csrf'

/** The shortest new password. */
export const PASSWORD_LENGTH_MIN = 12
/** The password of a known user, or a new one. */
const Password = Type.String({ minLength: 1, maxLength: 200, 'x-rule': 'a password of at most 200 characters' })
const Name = Type.String({ pattern: '^\\P{C}{1,100}$', 'x-rule': '1 to 100 printable characters' })
/** The last segment of a link. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 128 })
/** A six-digit code from an authenticator app, or a backup code. */
const Code = Type.String({ minLength: 6, maxLength: 20 })

const Stage = words(['in', 'second-factor', 'enrolment'])
export const SignInResult = Type.Object({ stage: Stage })

/** Routes available before sign-in. */
const OPEN = { access: 'open', permission: NO_PERMISSION.login } as const
/** Routes about the user's own account. */
const OWN = { access: 'person', permission: NO_PERMISSION.ownData, person: ANY_PERSON.own } as const

export const signInWithPassword = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-in',
  summary: 'Sign in with email address and password',
  body: Type.Object({ email: Email, password: Type.String({ maxLength: 200 }) }),
  reply: SignInResult,
  refusals: [signInRefusals.wrongSignIn],
})

export const signUp = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-up',
  summary: 'Request a sign-up link for a new merchant',
  environment: 'sandbox',
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    link: nullable(Type.String({ description: 'only if no mail server is configured; otherwise it is sent by email' })),
  }),
})

export const requestReset = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/reset',
  summary: 'Send a password reset link by email',
  description: 'The response is the same whether or not the address has an account.',
  body: Type.Object({ email: Email }),
  reply: NoBody,
})

export const LINK_KINDS = ['INVITATION', 'RESET', 'VERIFICATION', 'SIGN_IN'] as const

export const lookAtLink = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/link',
  summary: 'Get the purpose of an emailed link',
  body: Type.Object({ token: LinkToken }),
  reply: Type.Object({
    kind: words(LINK_KINDS),
    email: Type.String(),
    merchant: nullable(Type.String({ description: 'merchant whose team the link is for' })),
    role: nullable(words([...ROLES, ...OPERATOR_ROLES])),
    isKnown: Type.Boolean({ description: 'whether the user already has a password and must enter it' }),
    signOn: nullable(
      Type.Object({ code: Type.String(), isRequired: Type.Boolean() }, { description: 'single sign-on of the team' }),
    ),
  }),
  refusals: [signInRefusals.deadLink],
})

export const takeLink = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/link/take',
  summary: 'Use a link: accept an invitation or set a password',
  body: Type.Object({
    token: LinkToken,
    name: Type.Optional(Name),
    password: Type.Optional(Password),
    merchantName: Type.Optional(Name),
  }),
  reply: SignInResult,
  refusals: [signInRefusals.deadLink, signInRefusals.wrongSignIn, signInRefusals.weakPassword],
})

export const whoAmI = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/me',
  summary: 'Get the signed-in user and their permissions',
  stage: 'second-factor',
  reply: Type.Object({
    stage: Stage,
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    merchant: nullable(Type.Object({ code: Type.String(), name: Type.String() })),
    teams: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
      description: 'the merchants that the user can switch between',
    }),
    role: nullable(words([...ROLES, ...OPERATOR_ROLES])),
    permissions: Type.Array(words([...PERSON_PERMISSIONS, ...OPERATOR_PERMISSIONS])),
    hasSecondFactor: Type.Boolean(),
    isFresh: Type.Boolean({ description: 'whether actions that need a fresh second factor are possible now' }),
    csrf: Type.String({ description: 'value of the `Kobo-Csrf` header for every request that changes something' }),
    environment: words(['sandbox', 'live']),
    at: Instant,
    signOn: nullable(
      Type.Object(
        {
          code: Type.String({ description: 'merchant code, or `operator`' }),
          isNeeded: Type.Boolean({
            description: 'whether the team requires single sign-on, and this session has none',
          }),
          isConfined: Type.Boolean({
            description: 'whether the session can use the team only, not the user’s account',
          }),
          confirms: Type.Boolean({
            description: 'whether the provider can confirm actions instead of a second factor',
          }),
        },
        { description: 'single sign-on, if the session needs it or started with it' },
      ),
    ),
  }),
})

export const showSecondFactor = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/second-factor',
  summary: 'Confirm the second factor, for sign-in or for an action',
  stage: 'second-factor',
  body: Type.Object({ code: Code }),
  reply: SignInResult,
  refusals: [signInRefusals.wrongSecondFactor],
})

/** Binary data as browsers encode it. */
const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]{1,4096}$', 'x-rule': 'base64url of at most 3 kB' })
const Assertion = Type.Object({ credentialId: Bytes, clientData: Bytes, authenticatorData: Bytes, signature: Bytes })

export const askPasskey = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/passkey',
  summary: 'Get a challenge for a passkey to sign',
  reply: Type.Object({ challenge: Type.String(), host: Type.String() }),
})

export const signInWithPasskey = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/passkey/sign-in',
  summary: 'Sign in with a passkey, which counts as both factors',
  body: Assertion,
  reply: SignInResult,
  refusals: [signInRefusals.wrongSignIn],
})

export const showPasskey = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/second-factor/passkey',
  summary: 'Confirm with a passkey as second factor, for sign-in or for an action',
  stage: 'second-factor',
  body: Assertion,
  reply: SignInResult,
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
  text: 'Sign-in to the dashboard.',
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
