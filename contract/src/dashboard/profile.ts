import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { signInRefusals } from '../refusals/index.ts'
import { ANY_PERSON, ROLES } from '../roles.ts'
import { group, route } from '../route.ts'
import { PASSWORD_LENGTH_MIN } from './sign-in.ts'

const Id = Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }) })
const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const OWN = { access: 'person', permission: NO_PERMISSION.ownData, person: ANY_PERSON.own } as const
const BackupCodes = Type.Array(Type.String({ examples: ['K7QM-2XWD-9HTP'] }))

export const getProfile = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/profile',
  summary: 'Get your second factors, sessions, browsers and teams',
  stage: 'enrolment',
  reply: Type.Object({
    secondFactors: Type.Array(
      Type.Object({
        id: Type.String(),
        kind: words(['TOTP', 'PASSKEY']),
        name: Type.String(),
        createdAt: Time,
        lastUsedAt: nullable(Time),
      }),
    ),
    backupCodesLeft: Type.Integer(),
    sessions: Type.Array(
      Type.Object({
        id: Type.String(),
        isThis: Type.Boolean(),
        address: Type.String(),
        agent: Type.String(),
        startedAt: Time,
        lastSeenAt: Time,
      }),
    ),
    devices: Type.Array(
      Type.Object({ id: Type.String(), isThis: Type.Boolean(), agent: Type.String(), firstAt: Time, lastAt: Time }),
    ),
    teams: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), role: words(ROLES) })),
  }),
})

export const changeProfile = route({
  ...OWN,
  method: 'PUT',
  path: '/dashboard/api/profile',
  summary: 'Change your name',
  body: Type.Object({ name: Type.String({ pattern: '^\\P{C}{1,100}$', 'x-rule': '1 to 100 printable characters' }) }),
  reply: NoBody,
})

export const changePassword = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/password',
  summary: 'Change your password; all other sessions end',
  body: Type.Object({
    current: Type.String({ maxLength: 200 }),
    password: Type.String({
      minLength: PASSWORD_LENGTH_MIN,
      maxLength: 200,
      'x-rule': `a password of ${PASSWORD_LENGTH_MIN} to 200 characters`,
    }),
  }),
  reply: NoBody,
  refusals: [signInRefusals.wrongSignIn, signInRefusals.weakPassword],
})

export const chooseTeam = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/team',
  summary: 'Switch to another merchant of yours',
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
  reply: NoBody,
  refusals: [signInRefusals.notInTeam],
})

export const createOperatorToken = route({
  access: 'person',
  permission: NO_PERMISSION.operator,
  person: 'operator.manage',
  method: 'POST',
  path: '/dashboard/api/profile/operator-token',
  summary: 'Create your token for the command line, shown only once; it replaces the last one',
  fresh: true,
  reply: Type.Object({ token: Type.String(), expiresAt: Type.String({ examples: ['2026-03-01T21:30:00.000Z'] }) }),
})

export const beginTotp = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/totp',
  summary: 'Create a secret for an authenticator app; it becomes active with its first code',
  stage: 'enrolment',
  fresh: true,
  body: Type.Object({ name: Type.Optional(Type.String({ maxLength: 100 })) }),
  reply: Type.Object({
    id: Type.String(),
    secret: Type.String({ description: 'base32' }),
    address: Type.String({ description: 'content of the QR code' }),
  }),
})

export const confirmTotp = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/totp/:id/confirm',
  summary: 'Activate an authenticator app with its first code',
  stage: 'enrolment',
  params: Id,
  body: Type.Object({ code: Type.String({ pattern: '^\\d{6}$', 'x-rule': 'a 6-digit code' }) }),
  reply: Type.Object({ backupCodes: nullable(BackupCodes) }),
  refusals: [signInRefusals.unknownSecondFactor, signInRefusals.wrongSecondFactor],
})

const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]{1,4096}$', 'x-rule': 'base64url of at most 3 kB' })

export const beginPasskey = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/passkeys/begin',
  summary: 'Get the options for creating a passkey',
  stage: 'enrolment',
  fresh: true,
  reply: Type.Object({
    challenge: Type.String(),
    host: Type.String(),
    userId: Type.String(),
    known: Type.Array(Type.String()),
  }),
})

export const addPasskey = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/passkeys',
  summary: 'Add a passkey as a second factor',
  stage: 'enrolment',
  fresh: true,
  body: Type.Object({
    name: Type.String({ pattern: '^\\P{C}{1,100}$', 'x-rule': '1 to 100 printable characters' }),
    credentialId: Bytes,
    clientData: Bytes,
    authenticatorData: Bytes,
    publicKey: Bytes,
  }),
  reply: Type.Object({ backupCodes: nullable(BackupCodes) }),
  refusals: [signInRefusals.wrongSecondFactor],
})

export const removeSecondFactor = route({
  ...OWN,
  method: 'DELETE',
  path: '/dashboard/api/profile/second-factors/:id',
  summary: 'Remove a second factor',
  fresh: true,
  params: Id,
  reply: NoBody,
  refusals: [signInRefusals.unknownSecondFactor, signInRefusals.lastSecondFactor],
})

export const renewBackupCodes = route({
  ...OWN,
  method: 'POST',
  path: '/dashboard/api/profile/backup-codes',
  summary: 'Create new backup codes; the earlier ones stop working',
  fresh: true,
  reply: Type.Object({ backupCodes: BackupCodes }),
})

export const endSession = route({
  ...OWN,
  method: 'DELETE',
  path: '/dashboard/api/profile/sessions/:id',
  summary: 'Sign out another session',
  params: Id,
  reply: NoBody,
  refusals: [signInRefusals.unknownSession],
})

export const endOtherSessions = route({
  ...OWN,
  method: 'DELETE',
  path: '/dashboard/api/profile/sessions',
  summary: 'Sign out all other sessions',
  reply: Type.Object({ ended: Type.Integer() }),
})

export const forgetDevice = route({
  ...OWN,
  method: 'DELETE',
  path: '/dashboard/api/profile/devices/:id',
  summary: 'Forget a browser and sign it out',
  params: Id,
  reply: NoBody,
  refusals: [signInRefusals.unknownSession],
})

export const profile = group({
  title: 'Profile',
  text: 'The user’s own account.',
  routes: {
    getProfile,
    changeProfile,
    changePassword,
    chooseTeam,
    createOperatorToken,
    beginTotp,
    confirmTotp,
    beginPasskey,
    addPasskey,
    removeSecondFactor,
    renewBackupCodes,
    endSession,
    endOtherSessions,
    forgetDevice,
  },
  refusals: signInRefusals,
})
