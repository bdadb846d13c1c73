import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { nullable } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { signInRefusals, signOnRefusals } from '../refusals/index.ts'
import { ANY_PERSON } from '../roles.ts'
import { group, route } from '../route.ts'
import { LinkToken, SignInResult } from './sign-in.ts'

/** The code of the operator's team; merchants' codes have only capitals and digits. */
export const OPERATOR_SIGN_ON = 'operator'

const OPEN = { access: 'open', permission: NO_PERMISSION.login } as const
const OWNER = { access: 'person', permission: NO_PERMISSION.ownData, person: 'sign-on.manage' } as const

const Code = Type.String({ pattern: '^[A-Za-z0-9]{1,64}$', 'x-rule': 'a merchant code, or operator' })
const Redirect = Type.Object({
  url: Type.String({ description: 'URL of the provider to which the browser goes next' }),
})

export const startSignOn = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-on',
  summary: 'Start single sign-on at a team’s identity provider',
  body: Type.Object({ code: Code, link: Type.Optional(LinkToken) }),
  reply: Redirect,
  refusals: [signOnRefusals.noSignOn, signOnRefusals.providerFailed],
})

export const confirmSignOn = route({
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: ANY_PERSON.own,
  method: 'POST',
  path: '/dashboard/api/sign-on/confirm',
  summary: 'Start a confirmation at the identity provider, instead of a second factor',
  stage: 'second-factor',
  reply: Redirect,
  refusals: [signOnRefusals.noSignOn, signOnRefusals.providerFailed],
})

export const finishSignOn = route({
  ...OPEN,
  method: 'POST',
  path: '/dashboard/api/sign-on/finish',
  summary: 'Finish single sign-on with the provider’s response',
  body: Type.Object({
    code: Code,
    query: Type.String({ maxLength: 4_096, description: 'query of the URL to which the provider sent the browser' }),
  }),
  reply: SignInResult,
  refusals: [
    signOnRefusals.noSignOn,
    signOnRefusals.signOnRejected,
    signOnRefusals.providerFailed,
    signInRefusals.deadLink,
  ],
})

const DOMAIN = '^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$'
const Settings = {
  issuer: Type.String({ maxLength: 200, examples: ['https://login.example.com'] }),
  clientId: Type.String({ minLength: 1, maxLength: 200 }),
  domains: Type.Array(Type.String({ pattern: DOMAIN, 'x-rule': 'a domain in lower case' }), {
    minItems: 1,
    maxItems: 20,
    description: 'email domains of the users that the provider may sign in',
  }),
  isRequired: Type.Boolean({ description: 'whether everyone but owners must use it' }),
  secondFactor: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 10,
    description: 'values of `amr` or `acr` that count as a second factor; if empty, users need one with Kobo too',
    examples: [['mfa']],
  }),
}

export const getSignOn = route({
  ...OWNER,
  method: 'GET',
  path: '/dashboard/api/sign-on/settings',
  summary: 'Get the team’s single sign-on',
  reply: Type.Object({
    settings: nullable(
      Type.Object({
        ...Settings,
        secondFactorFrom: nullable(
          Type.String({
            description: 'time from which a changed `secondFactor` counts; null if it already counts, or is empty',
          }),
        ),
      }),
    ),
    redirectUri: Type.String({ description: 'redirect URI to register at the provider' }),
    address: Type.String({ description: 'where the team signs in' }),
  }),
})

export const setSignOn = route({
  ...OWNER,
  method: 'PUT',
  path: '/dashboard/api/sign-on/settings',
  summary: 'Set up or change the team’s single sign-on',
  fresh: true,
  body: Type.Object({
    ...Settings,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'required the first time; if left out later, it does not change',
      }),
    ),
  }),
  reply: NoBody,
})

export const removeSignOn = route({
  ...OWNER,
  method: 'DELETE',
  path: '/dashboard/api/sign-on/settings',
  summary: 'Turn off the team’s single sign-on; sessions that it started end',
  fresh: true,
  reply: NoBody,
  refusals: [signOnRefusals.noSignOn],
})

export const signOn = group({
  title: 'Single sign-on',
  text: 'Sign-on through a team’s identity provider with OpenID Connect.',
  routes: { startSignOn, confirmSignOn, finishSignOn, getSignOn, setSignOn, removeSignOn },
  refusals: signOnRefusals,
})
