import Type, { type TSchema } from 'typebox'

/** What every successful answer looks like. */
export const envelope = <S extends TSchema>(responseBody: S) =>
  Type.Object({
    requestSuccessful: Type.Boolean(),
    responseMessage: Type.String(),
    responseCode: Type.String(),
    responseBody,
  })

/** What every failure looks like, the framework's own included. */
export const Failure = Type.Object({
  requestSuccessful: Type.Boolean(),
  responseMessage: Type.String(),
  responseCode: Type.String(),
})
