const SEED = 0x9e3779b9 + 4 + 3_923_095

/** PostgreSQL's `hashint8`, by which Citus places a merchant. It never changes. */
export function hashOf(value: bigint): number {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  return mixed(low ^ (value >= 0n ? high : ~high))
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))

/** Applies the final step of Bob Jenkins' hash to one 32-bit word. */
function mixed(word: number): number {
  let a = (SEED + word) | 0
  let b = SEED | 0
  let c = SEED | 0
  c = ((c ^ b) - rotated(b, 14)) | 0
  a = ((a ^ c) - rotated(c, 11)) | 0
  b = ((b ^ a) - rotated(a, 25)) | 0
  c = ((c ^ b) - rotated(b, 16)) | 0
  a = ((a ^ c) - rotated(c, 4)) | 0
  b = ((b ^ a) - rotated(a, 14)) | 0
  return ((c ^ b) - rotated(b, 24)) | 0
}
