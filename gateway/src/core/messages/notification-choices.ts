import { NOTIFICATION_TOPICS, type NotificationTopic, permissionsOfRole, TOPIC_PERMISSIONS } from '@kobo/contract'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { type Member, selectTeam } from '../sessions/index.ts'

/** The choices of team members who have changed the default. */
const choices = table('notification_choice', ['merchantId', 'personId', 'topic'], {
  merchantId: column<bigint>(),
  personId: column<bigint>(),
  topic: column<NotificationTopic>(),
  onScreen: column<boolean>(),
  byMail: column<boolean>(),
})
export type NotificationChoice = Pick<Row<typeof choices>, 'topic' | 'onScreen' | 'byMail'>

/** Approvers are mailed by default. Other mails go to the merchant’s own address, with copies on request. */
const defaultOf = (topic: NotificationTopic): NotificationChoice => ({
  topic,
  onScreen: true,
  byMail: topic === 'APPROVALS',
})

/** Reads a team member's choice for every topic. */
export async function readChoices(
  db: Db | Tx,
  merchantId: bigint,
  personId: bigint,
): Promise<readonly NotificationChoice[]> {
  const keys = NOTIFICATION_TOPICS.map((topic) => ({ merchantId, personId, topic }))
  const chosen = new Map((await choices.select(db, keys)).map((row) => [row.topic, row]))
  return NOTIFICATION_TOPICS.map((topic) => chosen.get(topic) ?? defaultOf(topic))
}

/** Changes a team member's choice for a topic. A value that is not given stays as it is. */
export function writeChoice(
  tx: Tx,
  { merchantId, personId, topic }: Pick<Row<typeof choices>, 'merchantId' | 'personId' | 'topic'>,
  { onScreen, byMail }: { readonly onScreen?: boolean | undefined; readonly byMail?: boolean | undefined },
): void {
  const defaults = defaultOf(topic)
  void tx`
    insert into notification_choice as n (merchant_id, person_id, topic, on_screen, by_mail)
    values (${merchantId}, ${personId}, ${topic}, ${onScreen ?? defaults.onScreen}, ${byMail ?? defaults.byMail})
        on conflict (merchant_id, person_id, topic) do update
       set on_screen = coalesce(${onScreen ?? null}, n.on_screen), by_mail = coalesce(${byMail ?? null}, n.by_mail)`
}

/** Reads the team members who chose mails of a topic and whose role allows it. */
export async function selectMailed(
  db: Db | Tx,
  merchantId: bigint,
  topic: NotificationTopic,
): Promise<readonly Member[]> {
  const team = await selectTeam(db, merchantId)
  const keys = team.map(({ personId }) => ({ merchantId, personId, topic }))
  const chosen = new Map((await choices.select(db, keys)).map((row) => [row.personId, row.byMail]))
  return team.filter(
    ({ personId, role, approves }) =>
      permissionsOfRole(role, approves).includes(TOPIC_PERMISSIONS[topic]) &&
      (chosen.get(personId) ?? defaultOf(topic).byMail),
  )
}
