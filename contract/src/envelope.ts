import Type, { type TSchema } from 'typebox'

/** What every successful answer looks like. */
export const envelope = <S extends TSchema>(responseBody: S) =>
  Type.Object({
    requestSuccessful: Type.Boolean(),
    responseMessage: Type.String(),
    responseCode: Type.String(),
    responseBody,
  })

/** What a route answers that has nothing to say: the envelope without `responseBody`. */
export const NoBody = Type.Optional(Type.Unsafe<undefined>({ description: 'absent' }))

/** What every failure looks like, the framework's own included. */
export const Failure = Type.Object({
  requestSuccessful: Type.Boolean(),
  responseMessage: Type.String(),
  responseCode: Type.String(),
})
