import { sealedColumn } from '../../core/security/sealed-column.ts'
import { type FileRow, files } from './repository.ts'

/** The context that a file's content is encrypted with. */
export const fileContext = ({ merchantId, id }: Pick<FileRow, 'merchantId' | 'id'>): string =>
  `dispute-file/${merchantId}/${id}/content`

/** Evidence files. */
export const sealedDisputes = [sealedColumn('records', files, 'content', fileContext)]
