import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { invariant } from '../../kernel/errors.ts'

/** The master key: its bytes, or a device that holds it. It only wraps and unwraps data keys. */
export type MasterKey = Buffer | KeyDevice

/** Wraps data keys with a key that never leaves the device. To unwrap, `context` must be the same. */
export interface KeyDevice {
  readonly wrap: (key: Buffer, context: string) => Promise<Buffer>
  /** Throws if this key did not wrap the value. */
  readonly unwrap: (wrapped: Buffer, context: string) => Promise<Buffer>
}

/** Opens a device by its address: a PKCS#11 URI (RFC 7512), or `command:` and the path of a program. */
export const openKeyDevice = async (address: URL): Promise<KeyDevice> =>
  address.protocol === 'pkcs11:' ? openPkcs11(address) : openProgram(decodeURIComponent(address.pathname))

const PROGRAM_SECONDS_MAX = 20
/** The maximum length of a program's output, far longer than any wrapped key. */
const OUTPUT_LENGTH_MAX = 100_000

/**
 * Uses a program that talks to a key service. It is called with `wrap` or `unwrap` and the context; its input and
 * output are base64.
 */
function openProgram(path: string): KeyDevice {
  const call = (verb: 'wrap' | 'unwrap', input: Buffer, context: string): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`The master key’s program ${path} failed: ${why}`))
      const child = spawn(path, [verb, context], { timeout: PROGRAM_SECONDS_MAX * 1_000 })
      let [output, errorOutput] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, OUTPUT_LENGTH_MAX)
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errorOutput = (errorOutput + text).slice(0, OUTPUT_LENGTH_MAX)
      })
      child.on('error', ({ message }) => fail(message))
      child.on('close', (code, signal) => {
        if (code === 0 && output.trim() !== '') resolve(Buffer.from(output.trim(), 'base64'))
        else fail(errorOutput.trim().split('\n')[0] || `exit code ${code ?? signal} without an explanation`)
      })
      child.stdin.on('error', () => {}) // a program that ends early reports the reason itself
      child.stdin.end(`${input.toString('base64')}\n`)
    })
  return {
    wrap: (key, context) => call('wrap', key, context),
    unwrap: (wrapped, context) => call('unwrap', wrapped, context),
  }
}

const NONCE_LENGTH = 12
const TAG_LENGTH = 16
const KEY_LENGTH_MAX = 64

/** The part of the package `pkcs11js` that we use; operators with such a device install it. */
interface Pkcs11 {
  readonly load: (module: string) => void
  readonly C_Initialize: () => void
  readonly C_GetSlotList: (withToken: boolean) => readonly Buffer[]
  readonly C_GetTokenInfo: (slot: Buffer) => { readonly label: string }
  readonly C_OpenSession: (slot: Buffer, flags: number) => Buffer
  readonly C_Login: (session: Buffer, user: number, pin: string) => void
  readonly C_FindObjectsInit: (session: Buffer, template: readonly object[]) => void
  readonly C_FindObjects: (session: Buffer, max: number) => readonly Buffer[]
  readonly C_FindObjectsFinal: (session: Buffer) => void
  readonly C_EncryptInit: (session: Buffer, mechanism: object, key: Buffer) => void
  readonly C_Encrypt: (session: Buffer, input: Buffer, output: Buffer) => Buffer
  readonly C_DecryptInit: (session: Buffer, mechanism: object, key: Buffer) => void
  readonly C_Decrypt: (session: Buffer, input: Buffer, output: Buffer) => Buffer
}
interface Pkcs11Module {
  readonly PKCS11: new () => Pkcs11
  readonly CKF_SERIAL_SESSION: number
  readonly CKU_USER: number
  readonly CKA_CLASS: number
  readonly CKA_LABEL: number
  readonly CKO_SECRET_KEY: number
  readonly CKM_AES_GCM: number
  readonly CK_PARAMS_AES_GCM: number
}

/** Opens an AES key in a hardware security module, used with GCM. Calls are rare and short, so they may block. */
async function openPkcs11(address: URL): Promise<KeyDevice> {
  const { token, object, library, pin } = readPkcs11Uri(address)
  const constants = await loadPkcs11()
  const device = new constants.PKCS11()
  device.load(library)
  unlessAlready('CKR_CRYPTOKI_ALREADY_INITIALIZED', () => device.C_Initialize())
  const slot = device.C_GetSlotList(true).find((one) => device.C_GetTokenInfo(one).label.trim() === token)
  if (slot === undefined) throw new Error(`KOBO_MASTER_KEY: ${library} has no token ${token}`)
  const session = device.C_OpenSession(slot, constants.CKF_SERIAL_SESSION)
  unlessAlready('CKR_USER_ALREADY_LOGGED_IN', () => device.C_Login(session, constants.CKU_USER, pin))
  device.C_FindObjectsInit(session, [
    { type: constants.CKA_CLASS, value: constants.CKO_SECRET_KEY },
    { type: constants.CKA_LABEL, value: object },
  ])
  const found = device.C_FindObjects(session, 2)
  device.C_FindObjectsFinal(session)
  const [key] = found
  if (key === undefined || found.length > 1)
    throw new Error(
      `KOBO_MASTER_KEY: token ${token} has ${found.length === 0 ? 'no' : 'several'} secret keys ${object}`,
    )
  const gcm = (nonce: Buffer, context: string): object => ({
    mechanism: constants.CKM_AES_GCM,
    parameter: { type: constants.CK_PARAMS_AES_GCM, iv: nonce, aad: Buffer.from(context), tagBits: TAG_LENGTH * 8 },
  })
  return {
    wrap: async (plain, context) => {
      const nonce = randomBytes(NONCE_LENGTH)
      device.C_EncryptInit(session, gcm(nonce, context), key)
      return Buffer.concat([nonce, device.C_Encrypt(session, plain, Buffer.alloc(plain.length + TAG_LENGTH))])
    },
    unwrap: async (wrapped, context) => {
      invariant(wrapped.length > NONCE_LENGTH + TAG_LENGTH, 'a wrapped key holds a nonce and a tag')
      device.C_DecryptInit(session, gcm(wrapped.subarray(0, NONCE_LENGTH), context), key)
      return device.C_Decrypt(session, wrapped.subarray(NONCE_LENGTH), Buffer.alloc(KEY_LENGTH_MAX))
    },
  }
}

/**
 * Runs a step and ignores the error that it was already done. In a rotation, two keys of one device share its driver
 * and its login.
 */
function unlessAlready(expectedError: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(expectedError)) throw error
  }
}

/**
 * Reads a PKCS#11 URI, for example
 * `pkcs11:token=kobo;object=master?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/kobo/pin`.
 */
function readPkcs11Uri({ pathname, searchParams }: URL) {
  const path = new Map(
    pathname.split(';').map((part) => part.split('=', 2).map(decodeURIComponent) as [string, string]),
  )
  const needed = (name: string, value: string | null | undefined): string => {
    if (!value) throw new Error(`KOBO_MASTER_KEY: the PKCS#11 URI has no ${name}`)
    return value
  }
  const pinFile = needed('pin-source', searchParams.get('pin-source')).replace(/^file:(\/\/)?/, '')
  return {
    token: needed('token', path.get('token')),
    object: needed('object', path.get('object')),
    library: needed('module-path', searchParams.get('module-path')),
    pin: readFileSync(pinFile, 'utf8').trim(),
  }
}

async function loadPkcs11(): Promise<Pkcs11Module> {
  const name = 'pkcs11js'
  try {
    return ((await import(name)) as { readonly default: Pkcs11Module }).default
  } catch {
    throw new Error(
      'KOBO_MASTER_KEY is in a PKCS#11 device, which needs one more package: npm install --no-save pkcs11js',
    )
  }
}
