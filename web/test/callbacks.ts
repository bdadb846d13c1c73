/** The fields that published wrappers document for `onComplete`. */
export const COMPLETE_FIELDS =
  'amount amountPaid completed completedOn createdOn currencyCode customerEmail customerName fee metaData payableAmount paymentMethod paymentReference paymentStatus transactionReference'.split(
    ' ',
  )

/** The fields that they document for `onClose`. */
export const CLOSE_FIELDS = 'authorizedAmount paymentStatus redirectUrl responseCode responseMessage'.split(' ')
