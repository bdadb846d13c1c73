import Type, { type TSchema } from 'typebox'

/** The envelope of every successful response. */
export const envelope = <S extends TSchema>(responseBody: S) =>
  Type.Object({
    requestSuccessful: Type.Boolean(),
    responseMessage: Type.String(),
    responseCode: Type.String(),
    responseBody,
  })

/** The response of a route without a result: the envelope without `responseBody`. */
export const NoBody = Type.Optional(Type.Unsafe<undefined>({ description: 'absent' }))

/** The envelope of every error. */
export const Failure = Type.Object({
  requestSuccessful: Type.Boolean(),
  responseMessage: Type.String(),
  responseCode: Type.String(),
})
