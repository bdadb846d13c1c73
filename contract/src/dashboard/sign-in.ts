import Type from 'typebox'
import { nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personRefusals } from '../refusals/index.ts'
import { ANY_PERSON, OPERATOR_PERMISSIONS, OPERATOR_ROLES, PERSON_PERMISSIONS, ROLES } from '../roles.ts'
import { group, route } from '../route.ts'

/** The header of every call of the dashboard that changes something: a value of the session's own, which `me` tells. */
export const CSRF_HEADER = 'kobo-csrf'

export const whoAmI = route({
  method: 'GET',
  path: '/dashboard/api/me',
  summary: 'Who is signed in, and what they may do',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: ANY_PERSON.own,
  stage: 'second-factor',
  reply: Type.Object({
    /** How far the person has come in. */
    stage: words(['in', 'second-factor', 'enrolment']),
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    merchant: nullable(Type.Object({ code: Type.String(), name: Type.String() })),
    role: nullable(words([...ROLES, ...OPERATOR_ROLES])),
    permissions: Type.Array(words([...PERSON_PERMISSIONS, ...OPERATOR_PERMISSIONS])),
    /** Whether what asks for a fresh second factor goes through at the moment. */
    isFresh: Type.Boolean(),
    /** What every call that changes something carries in the header `Kobo-Csrf`. */
    csrf: Type.String(),
    environment: words(['sandbox', 'live']),
  }),
})

export const signIn = group({
  title: 'Sign-in',
  text: 'How people come in to the dashboard.',
  routes: { whoAmI },
  refusals: personRefusals,
})
