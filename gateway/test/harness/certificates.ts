import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ownFolder } from './clear-up.ts'

/** The PEM files of a certificate for this machine that is its own authority, and of its key. */
export function ownCertificate(): { readonly certificate: string; readonly key: string } {
  const folder = ownFolder('certificate')
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
  const { status, stderr } = spawnSync('openssl', [...made, '-keyout', key, '-out', certificate], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return { certificate, key }
}
