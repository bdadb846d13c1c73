import { sealedColumn } from '../../core/security/sealed-column.ts'
import { type FileRow, files } from './repository.ts'

export const fileContext = ({ merchantId, id }: Pick<FileRow, 'merchantId' | 'id'>): string =>
  `dispute-file/${merchantId}/${id}/content`

export const sealedDisputes = [sealedColumn('records', files, 'content', fileContext)]
