import pg from 'pg'
import { hmacSha256Hex } from '../crypto.ts'
import { connectionOptions, type Db, type Tx } from './db.ts'

/** The URLs of one database, one per role. Each role may do only what it needs. */
export interface DatabaseUrls {
  /**
   * The program's role. It may do everything except read the vault, change the schema, and change rows of insert-only
   * tables.
   */
  readonly program: string
  /** The vault's role, which alone reads card numbers. It equals the program's URL if the roles are not separate. */
  readonly vault: string
  /** The owner's role, which migrates. Undefined if the program does not know it or is the owner. */
  readonly owner: string | undefined
}

const PROGRAM_ROLE = 'kobo_program'
const VAULT_ROLE = 'kobo_vault'
const DUPLICATE = new Set(['42710', '23505']) // another process just created it

/** The URLs of our own database, derived from the owner's URL. */
export const databaseUrls = (ownerUrl: string): DatabaseUrls => ({
  program: urlAs(ownerUrl, PROGRAM_ROLE),
  vault: urlAs(ownerUrl, VAULT_ROLE),
  owner: ownerUrl,
})

function urlAs(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = passwordOf(ownerUrl, role)
  return url.href
}

/**
 * A role's password, derived from the owner's, so that only the owner's must be stored. The owner's cannot be computed
 * from it.
 */
const passwordOf = (ownerUrl: string, role: string): string =>
  hmacSha256Hex(decodeURIComponent(new URL(ownerUrl).password), `database role ${role}`)

/** Creates missing roles on our own server. */
export async function makeRoles(ownerUrl: string): Promise<void> {
  const client = new pg.Client(connectionOptions(ownerUrl))
  client.on('error', () => {}) // the broken connection's queries fail too and report it
  await client.connect()
  try {
    const { rows } = await client.query('select rolname from pg_roles')
    const known = new Set(rows.map(({ rolname }) => rolname))
    for (const role of [PROGRAM_ROLE, VAULT_ROLE].filter((name) => !known.has(name)))
      await client
        .query(`create role ${role} login password ${client.escapeLiteral(passwordOf(ownerUrl, role))}`)
        .catch((error: pg.DatabaseError) => {
          if (!DUPLICATE.has(error.code ?? '')) throw error
        })
  } finally {
    await client.end()
  }
}

export async function roleOf(db: Db): Promise<string> {
  const [row] = await db<{ name: string }[]>`select current_user as name`
  return row?.name ?? ''
}

/** Roles by name. */
export interface Roles {
  readonly program: string
  readonly vault: string
}

/**
 * Grants the program's and the vault's roles exactly what they need. Insert-only tables also have triggers, which
 * protect them from every role; only the owner can drop a trigger.
 */
export async function grantRights(tx: Tx, roles: Roles): Promise<void> {
  const [owner] = await tx<{ name: string }[]>`select current_user as name`
  if (owner?.name === roles.program) return
  await grantTables(tx, roles.program)
  await grantFunctions(tx, roles.program)
  await grantVault(tx, roles)
}

/** Tables that only migrations write. */
const READ_ONLY_TABLES = ['schema_migration']
/** Tables and views that the program must not use: the owner's view of the vault's table. */
const HIDDEN_FROM_PROGRAM = ['card_on_file']

async function grantTables(tx: Tx, program: string): Promise<void> {
  const wrong = await tx<{ grants: string }[]>`
    with wanted as (
      select case c.relkind when 'S' then 'sequence' else 'table' end || ' ' || c.oid::regclass as thing, c.relacl,
             case when c.relkind = 'S' then 'USAGE'
                  when c.relkind = 'v' or c.relname = any(${READ_ONLY_TABLES}) then 'SELECT'
                  when bool_or(p.proname = 'refuse_change') then 'INSERT,SELECT'
                  when bool_or(p.proname = 'refuse_removal') then 'INSERT,SELECT,UPDATE'
                  else 'DELETE,INSERT,SELECT,UPDATE' end as rights
        from pg_class c
        left join pg_trigger t on t.tgrelid = c.oid
        left join pg_proc p on p.oid = t.tgfoid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
         and c.relname <> all(${HIDDEN_FROM_PROGRAM})
       group by c.oid, c.relkind, c.relname, c.relacl)
    select format('revoke all on %1$s from %2$I; grant %3$s on %1$s to %2$I', thing, ${program}::text, rights) as grants
      from wanted
     where rights is distinct from (
       select string_agg(a.privilege_type, ',' order by a.privilege_type)
         from aclexplode(relacl) a where a.grantee = ${program}::regrole)
     order by thing`
  if (wrong.length === 0) return
  await tx.script(wrong.map(({ grants }) => grants).join(';\n'))
}

/** Functions that only the program may call. They run with the owner's rights. */
const PROGRAM_FUNCTIONS = ['make_partitions', 'drop_partitions']

async function grantFunctions(tx: Tx, program: string): Promise<void> {
  const wrong = await tx<{ grants: string }[]>`
    select format('revoke all on function %1$s from public; grant execute on function %1$s to %2$I', oid::regprocedure, ${program}::text) as grants
      from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any(${PROGRAM_FUNCTIONS})
       and (has_function_privilege('public', oid, 'execute') or not has_function_privilege(${program}, oid, 'execute'))`
  if (wrong.length > 0) await tx.script(wrong.map(({ grants }) => grants).join(';\n'))
}

async function grantVault(tx: Tx, { program, vault }: Roles): Promise<void> {
  const [is] = await tx<{ right: boolean; grants: string }[]>`
    select has_column_privilege(${program}, 'vault.card_on_file', 'token', 'select')
           and has_table_privilege(${program}, 'vault.card_on_file', 'delete')
           and has_column_privilege(${vault}, 'vault.card_on_file', 'sealed_number', 'select')
           and has_column_privilege(${program}, 'vault.card_on_file', 'sealed_number', 'select') = (${program}::text = ${vault}::text) as right,
           format('
             revoke all on vault.card_on_file from %1$I;
             grant usage on schema vault to %1$I, %2$I;
             grant select (merchant_id, token, fingerprint, expiry_month, expiry_year, customer_email, created_at),
                   insert, delete, update (expiry_month, expiry_year) on vault.card_on_file to %1$I;
             grant select, update (sealed_number) on vault.card_on_file to %2$I', ${program}::text, ${vault}::text) as grants`
  if (is !== undefined && !is.right) await tx.script(is.grants)
}
