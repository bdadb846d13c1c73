/** The sandbox bank's institution code. Session ids begin with it. */
export const INSTITUTION = '090405'
