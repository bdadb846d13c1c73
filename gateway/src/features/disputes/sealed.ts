import { sealedColumn } from '../../core/security/sealed-column.ts'
import { type FileRow, files } from './repository.ts'

/** The place of a file's content, with which it is sealed. */
export const fileContext = ({ merchantId, id }: Pick<FileRow, 'merchantId' | 'id'>): string =>
  `dispute-file/${merchantId}/${id}/content`

/** What merchants sent against disputes. */
export const sealedDisputes = [sealedColumn('records', files, 'content', fileContext)]
