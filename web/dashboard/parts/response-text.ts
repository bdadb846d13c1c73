/** Network errors in words. Other codes are rare, and are shown as they are. */
const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection closed too early',
  UND_ERR_SOCKET: 'Connection closed too early',
  UND_ERR_CONNECT_TIMEOUT: 'Connection timed out',
  ETIMEDOUT: 'Connection timed out',
  ENOTFOUND: 'Unknown host name',
  EAI_AGAIN: 'Unknown host name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
}

interface Response {
  readonly status: number | null
  readonly error: string | null
}

/** The response to a webhook: its status, or why there was none. */
export const responseText = ({ status, error }: Response): string =>
  error === null ? (status === null ? 'No response' : `Status ${status}`) : (ERRORS[error] ?? error)
