import type { getHealth } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'

export const HEALTH: Address<typeof getHealth> = { method: 'GET', path: '/dashboard/api/operator/health' }
