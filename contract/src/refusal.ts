/** The header of every failure that names its refusal: `kobo-refusal: WRONG_OTP`. */
export const REFUSAL_HEADER = 'kobo-refusal'
