/** The sandbox bank's institution code, which starts its session ids. */
export const INSTITUTION = '090405'
