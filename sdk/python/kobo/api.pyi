# Generated from the contract by `npm run generate`. Do not edit; change the contract.
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from typing_extensions import NotRequired, TypedDict

from .client import Call, PageCall

ENDPOINTS: dict[str, dict[str, dict[str, Any]]]

AuthenticationLoginRequest = TypedDict('AuthenticationLoginRequest', {

})
AuthenticationLoginResponse = TypedDict('AuthenticationLoginResponse', {
    'accessToken': str,
    'expiresIn': int,
})
TransactionsInitRequestIncomeSplitConfig = TypedDict('TransactionsInitRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
TransactionsInitRequest = TypedDict('TransactionsInitRequest', {
    'amount': Decimal | float | str,
    'customerName': NotRequired[str | None],
    'customerEmail': str,
    'paymentReference': str,
    'paymentDescription': NotRequired[str | None],
    'currencyCode': str,
    'contractCode': str,
    'redirectUrl': NotRequired[str | None],
    'paymentMethods': NotRequired[Sequence[str] | None],
    'incomeSplitConfig': NotRequired[Sequence[TransactionsInitRequestIncomeSplitConfig] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
})
TransactionsInitResponse = TypedDict('TransactionsInitResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'apiKey': str,
    'enabledPaymentMethod': list[str],
    'checkoutUrl': str,
    'redirectUrl': NotRequired[str],
    'incomeSplitConfig': NotRequired[list[dict[str, Any]]],
})
TransactionsGetRequest = TypedDict('TransactionsGetRequest', {
    'transactionReference': str,
})
TransactionsGetResponseProduct = TypedDict('TransactionsGetResponseProduct', {
    'type': str,
    'reference': str,
})
TransactionsGetResponseCardDetails = TypedDict('TransactionsGetResponseCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
TransactionsGetResponseAccountDetails = TypedDict('TransactionsGetResponseAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsGetResponseAccountPayments = TypedDict('TransactionsGetResponseAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsGetResponseCustomer = TypedDict('TransactionsGetResponseCustomer', {
    'email': str,
    'name': str | None,
})
TransactionsGetResponse = TypedDict('TransactionsGetResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': TransactionsGetResponseProduct,
    'cardDetails': TransactionsGetResponseCardDetails | None,
    'accountDetails': TransactionsGetResponseAccountDetails | None,
    'accountPayments': list[TransactionsGetResponseAccountPayments],
    'customer': TransactionsGetResponseCustomer,
    'metaData': dict[str, Any],
})
TransactionsQueryRequest = TypedDict('TransactionsQueryRequest', {
    'transactionReference': NotRequired[str],
    'paymentReference': NotRequired[str],
})
TransactionsQueryResponseProduct = TypedDict('TransactionsQueryResponseProduct', {
    'type': str,
    'reference': str,
})
TransactionsQueryResponseCardDetails = TypedDict('TransactionsQueryResponseCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
TransactionsQueryResponseAccountDetails = TypedDict('TransactionsQueryResponseAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsQueryResponseAccountPayments = TypedDict('TransactionsQueryResponseAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsQueryResponseCustomer = TypedDict('TransactionsQueryResponseCustomer', {
    'email': str,
    'name': str | None,
})
TransactionsQueryResponse = TypedDict('TransactionsQueryResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': TransactionsQueryResponseProduct,
    'cardDetails': TransactionsQueryResponseCardDetails | None,
    'accountDetails': TransactionsQueryResponseAccountDetails | None,
    'accountPayments': list[TransactionsQueryResponseAccountPayments],
    'customer': TransactionsQueryResponseCustomer,
    'metaData': dict[str, Any],
})
TransactionsSearchRequest = TypedDict('TransactionsSearchRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'paymentReference': NotRequired[str],
    'transactionReference': NotRequired[str],
    'fromAmount': NotRequired[Decimal | float | str],
    'toAmount': NotRequired[Decimal | float | str],
    'amount': NotRequired[Decimal | float | str],
    'customerName': NotRequired[str],
    'customerEmail': NotRequired[str],
    'paymentStatus': NotRequired[str],
    'from': NotRequired[str],
    'to': NotRequired[str],
})
TransactionsSearchResponseContentCustomerDTO = TypedDict('TransactionsSearchResponseContentCustomerDTO', {
    'email': str,
    'name': str | None,
    'merchantCode': str,
})
TransactionsSearchResponseContent = TypedDict('TransactionsSearchResponseContent', {
    'customerDTO': TransactionsSearchResponseContentCustomerDTO,
    'paymentMethod': NotRequired[str],
    'createdOn': str,
    'completedOn': NotRequired[str],
    'amount': Decimal | int,
    'flagged': bool,
    'fee': NotRequired[Decimal | int],
    'currencyCode': str,
    'paymentDescription': str | None,
    'paymentStatus': str,
    'transactionReference': str,
    'paymentReference': str,
    'merchantCode': str,
    'merchantName': str,
    'metaData': dict[str, Any],
    'payableAmount': Decimal | int,
    'amountPaid': NotRequired[Decimal | int],
    'completed': bool,
    'paymentMethodList': list[str],
    'collectionChannel': str,
})
TransactionsSearchResponsePageableSort = TypedDict('TransactionsSearchResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransactionsSearchResponsePageable = TypedDict('TransactionsSearchResponsePageable', {
    'sort': TransactionsSearchResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
TransactionsSearchResponseSort = TypedDict('TransactionsSearchResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransactionsSearchResponse = TypedDict('TransactionsSearchResponse', {
    'content': list[TransactionsSearchResponseContent],
    'pageable': TransactionsSearchResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': TransactionsSearchResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
TransactionsCancelRequest = TypedDict('TransactionsCancelRequest', {
    'transactionReference': str,
})
TransactionsCancelResponseProduct = TypedDict('TransactionsCancelResponseProduct', {
    'type': str,
    'reference': str,
})
TransactionsCancelResponseCardDetails = TypedDict('TransactionsCancelResponseCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
TransactionsCancelResponseAccountDetails = TypedDict('TransactionsCancelResponseAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsCancelResponseAccountPayments = TypedDict('TransactionsCancelResponseAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
TransactionsCancelResponseCustomer = TypedDict('TransactionsCancelResponseCustomer', {
    'email': str,
    'name': str | None,
})
TransactionsCancelResponse = TypedDict('TransactionsCancelResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': TransactionsCancelResponseProduct,
    'cardDetails': TransactionsCancelResponseCardDetails | None,
    'accountDetails': TransactionsCancelResponseAccountDetails | None,
    'accountPayments': list[TransactionsCancelResponseAccountPayments],
    'customer': TransactionsCancelResponseCustomer,
    'metaData': dict[str, Any],
})
BankTransferInitRequest = TypedDict('BankTransferInitRequest', {
    'transactionReference': str,
    'bankCode': NotRequired[str | None],
})
BankTransferInitResponse = TypedDict('BankTransferInitResponse', {
    'accountNumber': str,
    'accountName': str,
    'bankName': str,
    'bankCode': str,
    'accountDurationSeconds': int,
    'ussdPayment': str | None,
    'requestTime': str,
    'expiresOn': str,
    'transactionReference': str,
    'paymentReference': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'collectionChannel': str,
    'productInformation': dict[str, Any] | None,
})
BankTransferInitUssdRequest = TypedDict('BankTransferInitUssdRequest', {
    'transactionReference': str,
    'bankUssdCode': str,
})
BankTransferInitUssdResponse = TypedDict('BankTransferInitUssdResponse', {
    'accountNumber': str,
    'accountName': str,
    'bankName': str,
    'bankCode': str,
    'accountDurationSeconds': int,
    'ussdPayment': str | None,
    'requestTime': str,
    'expiresOn': str,
    'transactionReference': str,
    'paymentReference': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'collectionChannel': str,
    'productInformation': dict[str, Any] | None,
})
RefundsInitiateRequest = TypedDict('RefundsInitiateRequest', {
    'transactionReference': str,
    'refundAmount': Decimal | float | str,
    'refundReference': str,
    'refundReason': str,
    'customerNote': str,
    'destinationAccountNumber': NotRequired[str | None],
    'destinationAccountBankCode': NotRequired[str | None],
})
RefundsInitiateResponse = TypedDict('RefundsInitiateResponse', {
    'refundReference': str,
    'reference': str,
    'transactionReference': str,
    'refundReason': str,
    'customerNote': str,
    'refundAmount': Decimal | int,
    'refundType': str,
    'refundStatus': str,
    'refundStrategy': str,
    'comment': str,
    'createdOn': str,
    'completedOn': str | None,
    'destinationAccountNumber': str | None,
    'destinationAccountName': str | None,
    'destinationAccountBankCode': str | None,
    'destinationBankName': str | None,
    'currencyCode': str,
})
RefundsGetRequest = TypedDict('RefundsGetRequest', {
    'refundReference': str,
})
RefundsGetResponse = TypedDict('RefundsGetResponse', {
    'refundReference': str,
    'reference': str,
    'transactionReference': str,
    'refundReason': str,
    'customerNote': str,
    'refundAmount': Decimal | int,
    'refundType': str,
    'refundStatus': str,
    'refundStrategy': str,
    'comment': str,
    'createdOn': str,
    'completedOn': str | None,
    'destinationAccountNumber': str | None,
    'destinationAccountName': str | None,
    'destinationAccountBankCode': str | None,
    'destinationBankName': str | None,
    'currencyCode': str,
})
RefundsListRequest = TypedDict('RefundsListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'from': NotRequired[str],
    'to': NotRequired[str],
})
RefundsListResponseContent = TypedDict('RefundsListResponseContent', {
    'refundReference': str,
    'reference': str,
    'transactionReference': str,
    'refundReason': str,
    'customerNote': str,
    'refundAmount': Decimal | int,
    'refundType': str,
    'refundStatus': str,
    'refundStrategy': str,
    'comment': str,
    'createdOn': str,
    'completedOn': str | None,
    'destinationAccountNumber': str | None,
    'destinationAccountName': str | None,
    'destinationAccountBankCode': str | None,
    'destinationBankName': str | None,
    'currencyCode': str,
})
RefundsListResponsePageableSort = TypedDict('RefundsListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
RefundsListResponsePageable = TypedDict('RefundsListResponsePageable', {
    'sort': RefundsListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
RefundsListResponseSort = TypedDict('RefundsListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
RefundsListResponse = TypedDict('RefundsListResponse', {
    'content': list[RefundsListResponseContent],
    'pageable': RefundsListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': RefundsListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
DisputesListRequest = TypedDict('DisputesListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'disputeStatus': NotRequired[str],
    'from': NotRequired[str],
    'to': NotRequired[str],
})
DisputesListResponseContent = TypedDict('DisputesListResponseContent', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
})
DisputesListResponsePageableSort = TypedDict('DisputesListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
DisputesListResponsePageable = TypedDict('DisputesListResponsePageable', {
    'sort': DisputesListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
DisputesListResponseSort = TypedDict('DisputesListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
DisputesListResponse = TypedDict('DisputesListResponse', {
    'content': list[DisputesListResponseContent],
    'pageable': DisputesListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': DisputesListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
DisputesGetRequest = TypedDict('DisputesGetRequest', {
    'disputeReference': str,
})
DisputesGetResponseEvidenceFiles = TypedDict('DisputesGetResponseEvidenceFiles', {
    'fileId': str,
    'name': str,
    'type': str,
    'bytes': int,
})
DisputesGetResponseEvidence = TypedDict('DisputesGetResponseEvidence', {
    'text': str,
    'submittedOn': str,
    'files': list[DisputesGetResponseEvidenceFiles],
})
DisputesGetResponse = TypedDict('DisputesGetResponse', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
    'evidence': DisputesGetResponseEvidence | None,
})
DisputesSubmitEvidenceRequestFiles = TypedDict('DisputesSubmitEvidenceRequestFiles', {
    'name': str,
    'type': str,
    'content': str,
})
DisputesSubmitEvidenceRequest = TypedDict('DisputesSubmitEvidenceRequest', {
    'disputeReference': str,
    'text': str,
    'files': NotRequired[Sequence[DisputesSubmitEvidenceRequestFiles] | None],
})
DisputesSubmitEvidenceResponseEvidenceFiles = TypedDict('DisputesSubmitEvidenceResponseEvidenceFiles', {
    'fileId': str,
    'name': str,
    'type': str,
    'bytes': int,
})
DisputesSubmitEvidenceResponseEvidence = TypedDict('DisputesSubmitEvidenceResponseEvidence', {
    'text': str,
    'submittedOn': str,
    'files': list[DisputesSubmitEvidenceResponseEvidenceFiles],
})
DisputesSubmitEvidenceResponse = TypedDict('DisputesSubmitEvidenceResponse', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
    'evidence': DisputesSubmitEvidenceResponseEvidence | None,
})
DisputesAcceptRequest = TypedDict('DisputesAcceptRequest', {
    'disputeReference': str,
})
DisputesAcceptResponse = TypedDict('DisputesAcceptResponse', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
})
DisputesGetFileRequest = TypedDict('DisputesGetFileRequest', {
    'disputeReference': str,
    'fileId': str,
})
DisputesGetFileResponse = TypedDict('DisputesGetFileResponse', {
    'name': str,
    'type': str,
    'content': str,
})
TransfersValidateAccountRequest = TypedDict('TransfersValidateAccountRequest', {
    'accountNumber': str,
    'bankCode': str,
})
TransfersValidateAccountResponse = TypedDict('TransfersValidateAccountResponse', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'currencyCode': str,
})
TransfersInitiateRequestSenderInfo = TypedDict('TransfersInitiateRequestSenderInfo', {
    'sourceAccountNumber': NotRequired[str | None],
    'sourceAccountName': NotRequired[str | None],
    'senderBankCode': NotRequired[str | None],
    'sourceAccountBvn': NotRequired[str | None],
})
TransfersInitiateRequest = TypedDict('TransfersInitiateRequest', {
    'amount': Decimal | float | str,
    'reference': str,
    'narration': str,
    'destinationBankCode': str,
    'destinationAccountNumber': str,
    'destinationAccountName': str,
    'currency': str,
    'sourceAccountNumber': str,
    'async': NotRequired[bool | None],
    'senderInfo': NotRequired[TransfersInitiateRequestSenderInfo | None],
})
TransfersInitiateResponseSenderInfo = TypedDict('TransfersInitiateResponseSenderInfo', {
    'sourceAccountNumber': NotRequired[str | None],
    'sourceAccountName': NotRequired[str | None],
    'senderBankCode': NotRequired[str | None],
})
TransfersInitiateResponse = TypedDict('TransfersInitiateResponse', {
    'amount': Decimal | int,
    'reference': str,
    'status': str,
    'dateCreated': str,
    'totalFee': Decimal | int,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'senderInfo': TransfersInitiateResponseSenderInfo | None,
    'comment': str,
})
TransfersAuthorizeRequest = TypedDict('TransfersAuthorizeRequest', {
    'reference': str,
    'authorizationCode': str,
})
TransfersAuthorizeResponseSenderInfo = TypedDict('TransfersAuthorizeResponseSenderInfo', {
    'sourceAccountNumber': NotRequired[str | None],
    'sourceAccountName': NotRequired[str | None],
    'senderBankCode': NotRequired[str | None],
})
TransfersAuthorizeResponse = TypedDict('TransfersAuthorizeResponse', {
    'amount': Decimal | int,
    'reference': str,
    'status': str,
    'dateCreated': str,
    'totalFee': Decimal | int,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'senderInfo': TransfersAuthorizeResponseSenderInfo | None,
    'comment': str,
})
TransfersResendCodeRequest = TypedDict('TransfersResendCodeRequest', {
    'reference': str,
})
TransfersResendCodeResponse = TypedDict('TransfersResendCodeResponse', {
    'message': str,
})
TransfersGetRequest = TypedDict('TransfersGetRequest', {
    'reference': str,
})
TransfersGetResponse = TypedDict('TransfersGetResponse', {
    'amount': Decimal | int,
    'reference': str,
    'narration': str,
    'currency': str,
    'fee': Decimal | int,
    'twoFaEnabled': bool,
    'status': str,
    'transactionDescription': str,
    'transactionReference': str,
    'createdOn': str,
    'sourceAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'flagged': bool,
})
TransfersListRequest = TypedDict('TransfersListRequest', {
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
})
TransfersListResponseContent = TypedDict('TransfersListResponseContent', {
    'amount': Decimal | int,
    'reference': str,
    'narration': str,
    'currency': str,
    'fee': Decimal | int,
    'twoFaEnabled': bool,
    'status': str,
    'transactionDescription': str,
    'transactionReference': str,
    'createdOn': str,
    'sourceAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'flagged': bool,
})
TransfersListResponsePageableSort = TypedDict('TransfersListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListResponsePageable = TypedDict('TransfersListResponsePageable', {
    'sort': TransfersListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
TransfersListResponseSort = TypedDict('TransfersListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListResponse = TypedDict('TransfersListResponse', {
    'content': list[TransfersListResponseContent],
    'pageable': TransfersListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': TransfersListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
TransfersSearchRequest = TypedDict('TransfersSearchRequest', {
    'sourceAccountNumber': str,
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
    'startDate': NotRequired[str],
    'endDate': NotRequired[str],
    'amountFrom': NotRequired[str],
    'amountTo': NotRequired[str],
})
TransfersSearchResponseContent = TypedDict('TransfersSearchResponseContent', {
    'amount': Decimal | int,
    'reference': str,
    'narration': str,
    'currency': str,
    'fee': Decimal | int,
    'twoFaEnabled': bool,
    'status': str,
    'transactionDescription': str,
    'transactionReference': str,
    'createdOn': str,
    'sourceAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'flagged': bool,
})
TransfersSearchResponsePageableSort = TypedDict('TransfersSearchResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersSearchResponsePageable = TypedDict('TransfersSearchResponsePageable', {
    'sort': TransfersSearchResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
TransfersSearchResponseSort = TypedDict('TransfersSearchResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersSearchResponse = TypedDict('TransfersSearchResponse', {
    'content': list[TransfersSearchResponseContent],
    'pageable': TransfersSearchResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': TransfersSearchResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
TransfersInitiateBatchRequestTransactionList = TypedDict('TransfersInitiateBatchRequestTransactionList', {
    'amount': Decimal | float | str,
    'reference': str,
    'narration': NotRequired[str | None],
    'destinationBankCode': str,
    'destinationAccountNumber': str,
    'destinationAccountName': NotRequired[str | None],
    'currency': NotRequired[str | None],
})
TransfersInitiateBatchRequest = TypedDict('TransfersInitiateBatchRequest', {
    'title': str,
    'batchReference': str,
    'narration': str,
    'sourceAccountNumber': str,
    'onValidationFailure': NotRequired[str | None],
    'notificationInterval': NotRequired[int | None],
    'transactionList': Sequence[TransfersInitiateBatchRequestTransactionList],
})
TransfersInitiateBatchResponse = TypedDict('TransfersInitiateBatchResponse', {
    'totalAmount': Decimal | int,
    'totalFee': Decimal | int,
    'batchReference': str,
    'transactionBatchReference': str,
    'batchStatus': str,
    'totalTransactionsCount': int,
    'dateCreated': str,
})
TransfersAuthorizeBatchRequest = TypedDict('TransfersAuthorizeBatchRequest', {
    'reference': str,
    'authorizationCode': str,
})
TransfersAuthorizeBatchResponse = TypedDict('TransfersAuthorizeBatchResponse', {
    'totalAmount': Decimal | int,
    'totalFee': Decimal | int,
    'batchReference': str,
    'transactionBatchReference': str,
    'batchStatus': str,
    'totalTransactionsCount': int,
    'dateCreated': str,
})
TransfersResendBatchCodeRequest = TypedDict('TransfersResendBatchCodeRequest', {
    'batchReference': str,
})
TransfersResendBatchCodeResponse = TypedDict('TransfersResendBatchCodeResponse', {
    'message': str,
})
TransfersGetBatchRequest = TypedDict('TransfersGetBatchRequest', {
    'reference': str,
})
TransfersGetBatchResponse = TypedDict('TransfersGetBatchResponse', {
    'title': str,
    'totalAmount': Decimal | int,
    'totalFee': Decimal | int,
    'batchReference': str,
    'totalTransactionsCount': int,
    'totalTransactions': int,
    'failedCount': int,
    'successfulCount': int,
    'pendingCount': int,
    'pendingAmount': Decimal | int,
    'failedAmount': Decimal | int,
    'successfulAmount': Decimal | int,
    'batchStatus': str,
    'dateCreated': str,
})
TransfersListBatchRequest = TypedDict('TransfersListBatchRequest', {
    'batchReference': str,
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
})
TransfersListBatchResponseContent = TypedDict('TransfersListBatchResponseContent', {
    'amount': Decimal | int,
    'reference': str,
    'narration': str,
    'currency': str,
    'fee': Decimal | int,
    'twoFaEnabled': bool,
    'status': str,
    'transactionDescription': str,
    'transactionReference': str,
    'createdOn': str,
    'sourceAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationAccountNumber': str,
    'destinationBankCode': str,
    'flagged': bool,
})
TransfersListBatchResponsePageableSort = TypedDict('TransfersListBatchResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListBatchResponsePageable = TypedDict('TransfersListBatchResponsePageable', {
    'sort': TransfersListBatchResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
TransfersListBatchResponseSort = TypedDict('TransfersListBatchResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListBatchResponse = TypedDict('TransfersListBatchResponse', {
    'content': list[TransfersListBatchResponseContent],
    'pageable': TransfersListBatchResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': TransfersListBatchResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
TransfersListBatchesRequest = TypedDict('TransfersListBatchesRequest', {
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
    'sourceAccountNumber': NotRequired[str],
})
TransfersListBatchesResponseContent = TypedDict('TransfersListBatchesResponseContent', {
    'totalAmount': Decimal | int,
    'totalFee': Decimal | int,
    'batchReference': str,
    'transactionBatchReference': str,
    'batchStatus': str,
    'totalTransactionsCount': int,
    'dateCreated': str,
})
TransfersListBatchesResponsePageableSort = TypedDict('TransfersListBatchesResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListBatchesResponsePageable = TypedDict('TransfersListBatchesResponsePageable', {
    'sort': TransfersListBatchesResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
TransfersListBatchesResponseSort = TypedDict('TransfersListBatchesResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
TransfersListBatchesResponse = TypedDict('TransfersListBatchesResponse', {
    'content': list[TransfersListBatchesResponseContent],
    'pageable': TransfersListBatchesResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': TransfersListBatchesResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
TransfersGetBalanceRequest = TypedDict('TransfersGetBalanceRequest', {
    'accountNumber': str,
})
TransfersGetBalanceResponse = TypedDict('TransfersGetBalanceResponse', {
    'availableBalance': Decimal | int,
    'ledgerBalance': Decimal | int,
})
MobileInitRequestIncomeSplitConfig = TypedDict('MobileInitRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
MobileInitRequest = TypedDict('MobileInitRequest', {
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
    'amount': Decimal | float | str,
    'customerName': NotRequired[str | None],
    'customerEmail': str,
    'paymentReference': str,
    'paymentDescription': NotRequired[str | None],
    'currencyCode': str,
    'contractCode': str,
    'paymentMethods': NotRequired[Sequence[str] | None],
    'incomeSplitConfig': NotRequired[Sequence[MobileInitRequestIncomeSplitConfig] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
})
MobileInitResponse = TypedDict('MobileInitResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogoUrl': str | None,
    'enabledPaymentMethod': list[str],
})
MobileQueryRequest = TypedDict('MobileQueryRequest', {
    'apiKey': str,
    'transactionReference': str,
})
MobileQueryResponse = TypedDict('MobileQueryResponse', {
    'paymentMethod': str | None,
    'createdOn': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'currencyCode': str,
    'completedOn': str | None,
    'customerName': str,
    'customerEmail': str,
    'paymentDescription': str | None,
    'paymentStatus': str,
    'transactionReference': str,
    'paymentReference': str,
    'payableAmount': Decimal | int,
    'amountPaid': Decimal | int,
    'completed': bool,
    'flagged': bool,
    'providerCode': str | None,
    'merchantCode': str,
})
MobileTransferRequest = TypedDict('MobileTransferRequest', {
    'transactionReference': str,
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
    'bankCode': NotRequired[str | None],
})
MobileTransferResponse = TypedDict('MobileTransferResponse', {
    'accountNumber': str,
    'accountName': str,
    'bankName': str,
    'bankCode': str,
    'accountDurationSeconds': int,
    'ussdPayment': str | None,
    'requestTime': str,
    'expiresOn': str,
    'transactionReference': str,
    'paymentReference': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'collectionChannel': str,
    'productInformation': dict[str, Any] | None,
})
MobileUssdRequest = TypedDict('MobileUssdRequest', {
    'transactionReference': str,
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
    'bankUssdCode': str,
})
MobileUssdResponse = TypedDict('MobileUssdResponse', {
    'ussdCode': str | None,
    'paymentCode': str,
    'providerReference': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
})
MobileInitCardRequest = TypedDict('MobileInitCardRequest', {
    'transactionReference': str,
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
})
MobileInitCardResponse = TypedDict('MobileInitCardResponse', {
    'totalAmountPayable': Decimal | int,
    'amount': Decimal | int,
    'paymentFee': Decimal | int,
})
MobileCardRequirementsRequest = TypedDict('MobileCardRequirementsRequest', {
    'transactionReference': NotRequired[str | None],
    'apiKey': NotRequired[str | None],
    'collectionChannel': NotRequired[str | None],
    'pan': str,
})
MobileCardRequirementsResponse = TypedDict('MobileCardRequirementsResponse', {
    'requirePin': bool,
})
MobileChargeRequestCard = TypedDict('MobileChargeRequestCard', {
    'number': str,
    'pin': NotRequired[str | None],
    'expiryMonth': str,
    'expiryYear': str,
    'cvv': str,
})
MobileChargeRequestDeviceInformation = TypedDict('MobileChargeRequestDeviceInformation', {
    'httpBrowserLanguage': NotRequired[Any | None],
    'httpBrowserJavaEnabled': NotRequired[Any | None],
    'httpBrowserJavaScriptEnabled': NotRequired[Any | None],
    'httpBrowserColorDepth': NotRequired[Any | None],
    'httpBrowserScreenHeight': NotRequired[Any | None],
    'httpBrowserScreenWidth': NotRequired[Any | None],
    'httpBrowserTimeDifference': NotRequired[Any | None],
    'userAgentBrowserValue': NotRequired[Any | None],
})
MobileChargeRequest = TypedDict('MobileChargeRequest', {
    'transactionReference': str,
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
    'card': MobileChargeRequestCard,
    'deviceInformation': NotRequired[MobileChargeRequestDeviceInformation | None],
})
MobileChargeResponseOtpData = TypedDict('MobileChargeResponseOtpData', {
    'id': str,
    'message': str,
    'authData': str,
})
MobileChargeResponseSecure3dData = TypedDict('MobileChargeResponseSecure3dData', {
    'id': str,
    'redirectUrl': str,
    'acsUrl': str,
    'method': str,
})
MobileChargeResponse = TypedDict('MobileChargeResponse', {
    'status': str,
    'message': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
    'otpData': NotRequired[MobileChargeResponseOtpData],
    'secure3dData': NotRequired[MobileChargeResponseSecure3dData],
    'cardToken': Any | None,
})
MobileOtpRequest = TypedDict('MobileOtpRequest', {
    'transactionReference': str,
    'apiKey': str,
    'collectionChannel': NotRequired[str | None],
    'tokenId': str,
    'token': str,
})
MobileOtpResponseOtpData = TypedDict('MobileOtpResponseOtpData', {
    'id': str,
    'message': str,
    'authData': str,
})
MobileOtpResponseSecure3dData = TypedDict('MobileOtpResponseSecure3dData', {
    'id': str,
    'redirectUrl': str,
    'acsUrl': str,
    'method': str,
})
MobileOtpResponse = TypedDict('MobileOtpResponse', {
    'status': str,
    'message': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
    'otpData': NotRequired[MobileOtpResponseOtpData],
    'secure3dData': NotRequired[MobileOtpResponseSecure3dData],
    'paymentStatus': str,
    'amountPaid': Decimal | int,
    'currencyPaid': str,
})
MobileListBanksRequest = TypedDict('MobileListBanksRequest', {

})
MobileListBanksResponse = TypedDict('MobileListBanksResponse', {
    'name': str,
    'code': str,
})
MobileOtherMethodRequest = TypedDict('MobileOtherMethodRequest', {
    'apiKey': NotRequired[str | None],
})
MobileOtherMethodResponse = TypedDict('MobileOtherMethodResponse', {
    'status': str,
})
CheckoutGetRequest = TypedDict('CheckoutGetRequest', {
    'checkoutReference': str,
})
CheckoutGetResponseAccount = TypedDict('CheckoutGetResponseAccount', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
})
CheckoutGetResponseCard = TypedDict('CheckoutGetResponseCard', {
    'step': str,
    'brand': str,
    'last4': str,
    'tokenId': str | None,
    'triesLeft': int | None,
    'redirectUrl': str | None,
    'decline': str | None,
})
CheckoutGetResponseInvoiceItems = TypedDict('CheckoutGetResponseInvoiceItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
CheckoutGetResponseInvoice = TypedDict('CheckoutGetResponseInvoice', {
    'customerName': str | None,
    'invoiceReference': str,
    'items': list[CheckoutGetResponseInvoiceItems],
})
CheckoutGetResponseReturns = TypedDict('CheckoutGetResponseReturns', {
    'amount': Decimal | int,
    'reason': str,
    'state': str,
})
CheckoutGetResponse = TypedDict('CheckoutGetResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogo': str | None,
    'supportContact': str | None,
    'paymentDescription': str | None,
    'currencyCode': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'amountPaid': Decimal | int,
    'paymentStatus': str,
    'completed': bool,
    'paymentMethods': list[str],
    'paymentMethod': str | None,
    'createdOn': int,
    'paidOn': int | None,
    'expiresOn': int,
    'now': int,
    'account': CheckoutGetResponseAccount | None,
    'card': CheckoutGetResponseCard | None,
    'payer': str | None,
    'receiptNumber': str,
    'receiptProof': str | None,
    'invoice': CheckoutGetResponseInvoice | None,
    'cardInProgress': bool,
    'paused': bool,
    'canSaveCard': bool,
    'returns': list[CheckoutGetResponseReturns],
    'returnUrl': str | None,
})
CheckoutTransferRequest = TypedDict('CheckoutTransferRequest', {
    'checkoutReference': str,
})
CheckoutTransferResponseAccount = TypedDict('CheckoutTransferResponseAccount', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
})
CheckoutTransferResponseCard = TypedDict('CheckoutTransferResponseCard', {
    'step': str,
    'brand': str,
    'last4': str,
    'tokenId': str | None,
    'triesLeft': int | None,
    'redirectUrl': str | None,
    'decline': str | None,
})
CheckoutTransferResponseInvoiceItems = TypedDict('CheckoutTransferResponseInvoiceItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
CheckoutTransferResponseInvoice = TypedDict('CheckoutTransferResponseInvoice', {
    'customerName': str | None,
    'invoiceReference': str,
    'items': list[CheckoutTransferResponseInvoiceItems],
})
CheckoutTransferResponseReturns = TypedDict('CheckoutTransferResponseReturns', {
    'amount': Decimal | int,
    'reason': str,
    'state': str,
})
CheckoutTransferResponse = TypedDict('CheckoutTransferResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogo': str | None,
    'supportContact': str | None,
    'paymentDescription': str | None,
    'currencyCode': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'amountPaid': Decimal | int,
    'paymentStatus': str,
    'completed': bool,
    'paymentMethods': list[str],
    'paymentMethod': str | None,
    'createdOn': int,
    'paidOn': int | None,
    'expiresOn': int,
    'now': int,
    'account': CheckoutTransferResponseAccount | None,
    'card': CheckoutTransferResponseCard | None,
    'payer': str | None,
    'receiptNumber': str,
    'receiptProof': str | None,
    'invoice': CheckoutTransferResponseInvoice | None,
    'cardInProgress': bool,
    'paused': bool,
    'canSaveCard': bool,
    'returns': list[CheckoutTransferResponseReturns],
    'returnUrl': str | None,
})
CheckoutUssdRequest = TypedDict('CheckoutUssdRequest', {
    'checkoutReference': str,
    'bankCode': str,
})
CheckoutUssdResponseCheckoutAccount = TypedDict('CheckoutUssdResponseCheckoutAccount', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
})
CheckoutUssdResponseCheckoutCard = TypedDict('CheckoutUssdResponseCheckoutCard', {
    'step': str,
    'brand': str,
    'last4': str,
    'tokenId': str | None,
    'triesLeft': int | None,
    'redirectUrl': str | None,
    'decline': str | None,
})
CheckoutUssdResponseCheckoutInvoiceItems = TypedDict('CheckoutUssdResponseCheckoutInvoiceItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
CheckoutUssdResponseCheckoutInvoice = TypedDict('CheckoutUssdResponseCheckoutInvoice', {
    'customerName': str | None,
    'invoiceReference': str,
    'items': list[CheckoutUssdResponseCheckoutInvoiceItems],
})
CheckoutUssdResponseCheckoutReturns = TypedDict('CheckoutUssdResponseCheckoutReturns', {
    'amount': Decimal | int,
    'reason': str,
    'state': str,
})
CheckoutUssdResponseCheckout = TypedDict('CheckoutUssdResponseCheckout', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogo': str | None,
    'supportContact': str | None,
    'paymentDescription': str | None,
    'currencyCode': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'amountPaid': Decimal | int,
    'paymentStatus': str,
    'completed': bool,
    'paymentMethods': list[str],
    'paymentMethod': str | None,
    'createdOn': int,
    'paidOn': int | None,
    'expiresOn': int,
    'now': int,
    'account': CheckoutUssdResponseCheckoutAccount | None,
    'card': CheckoutUssdResponseCheckoutCard | None,
    'payer': str | None,
    'receiptNumber': str,
    'receiptProof': str | None,
    'invoice': CheckoutUssdResponseCheckoutInvoice | None,
    'cardInProgress': bool,
    'paused': bool,
    'canSaveCard': bool,
    'returns': list[CheckoutUssdResponseCheckoutReturns],
    'returnUrl': str | None,
})
CheckoutUssdResponse = TypedDict('CheckoutUssdResponse', {
    'checkout': CheckoutUssdResponseCheckout,
    'ussdPayment': str | None,
})
CheckoutCardRequestCard = TypedDict('CheckoutCardRequestCard', {
    'number': str,
    'pin': NotRequired[str | None],
    'expiryMonth': str,
    'expiryYear': str,
    'cvv': str,
})
CheckoutCardRequestDeviceInformation = TypedDict('CheckoutCardRequestDeviceInformation', {
    'httpBrowserLanguage': NotRequired[Any | None],
    'httpBrowserJavaEnabled': NotRequired[Any | None],
    'httpBrowserJavaScriptEnabled': NotRequired[Any | None],
    'httpBrowserColorDepth': NotRequired[Any | None],
    'httpBrowserScreenHeight': NotRequired[Any | None],
    'httpBrowserScreenWidth': NotRequired[Any | None],
    'httpBrowserTimeDifference': NotRequired[Any | None],
    'userAgentBrowserValue': NotRequired[Any | None],
})
CheckoutCardRequest = TypedDict('CheckoutCardRequest', {
    'checkoutReference': str,
    'card': CheckoutCardRequestCard,
    'deviceInformation': NotRequired[CheckoutCardRequestDeviceInformation | None],
    'saveCard': NotRequired[str | None],
})
CheckoutCardResponseOtp = TypedDict('CheckoutCardResponseOtp', {
    'tokenId': str,
    'message': str,
})
CheckoutCardResponseCheckoutAccount = TypedDict('CheckoutCardResponseCheckoutAccount', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
})
CheckoutCardResponseCheckoutCard = TypedDict('CheckoutCardResponseCheckoutCard', {
    'step': str,
    'brand': str,
    'last4': str,
    'tokenId': str | None,
    'triesLeft': int | None,
    'redirectUrl': str | None,
    'decline': str | None,
})
CheckoutCardResponseCheckoutInvoiceItems = TypedDict('CheckoutCardResponseCheckoutInvoiceItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
CheckoutCardResponseCheckoutInvoice = TypedDict('CheckoutCardResponseCheckoutInvoice', {
    'customerName': str | None,
    'invoiceReference': str,
    'items': list[CheckoutCardResponseCheckoutInvoiceItems],
})
CheckoutCardResponseCheckoutReturns = TypedDict('CheckoutCardResponseCheckoutReturns', {
    'amount': Decimal | int,
    'reason': str,
    'state': str,
})
CheckoutCardResponseCheckout = TypedDict('CheckoutCardResponseCheckout', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogo': str | None,
    'supportContact': str | None,
    'paymentDescription': str | None,
    'currencyCode': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'amountPaid': Decimal | int,
    'paymentStatus': str,
    'completed': bool,
    'paymentMethods': list[str],
    'paymentMethod': str | None,
    'createdOn': int,
    'paidOn': int | None,
    'expiresOn': int,
    'now': int,
    'account': CheckoutCardResponseCheckoutAccount | None,
    'card': CheckoutCardResponseCheckoutCard | None,
    'payer': str | None,
    'receiptNumber': str,
    'receiptProof': str | None,
    'invoice': CheckoutCardResponseCheckoutInvoice | None,
    'cardInProgress': bool,
    'paused': bool,
    'canSaveCard': bool,
    'returns': list[CheckoutCardResponseCheckoutReturns],
    'returnUrl': str | None,
})
CheckoutCardResponse = TypedDict('CheckoutCardResponse', {
    'status': str,
    'message': str,
    'otp': CheckoutCardResponseOtp | None,
    'redirectUrl': str | None,
    'checkout': CheckoutCardResponseCheckout,
})
CheckoutOtpRequest = TypedDict('CheckoutOtpRequest', {
    'checkoutReference': str,
    'tokenId': str,
    'token': str,
})
CheckoutOtpResponseOtp = TypedDict('CheckoutOtpResponseOtp', {
    'tokenId': str,
    'message': str,
})
CheckoutOtpResponseCheckoutAccount = TypedDict('CheckoutOtpResponseCheckoutAccount', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
})
CheckoutOtpResponseCheckoutCard = TypedDict('CheckoutOtpResponseCheckoutCard', {
    'step': str,
    'brand': str,
    'last4': str,
    'tokenId': str | None,
    'triesLeft': int | None,
    'redirectUrl': str | None,
    'decline': str | None,
})
CheckoutOtpResponseCheckoutInvoiceItems = TypedDict('CheckoutOtpResponseCheckoutInvoiceItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
CheckoutOtpResponseCheckoutInvoice = TypedDict('CheckoutOtpResponseCheckoutInvoice', {
    'customerName': str | None,
    'invoiceReference': str,
    'items': list[CheckoutOtpResponseCheckoutInvoiceItems],
})
CheckoutOtpResponseCheckoutReturns = TypedDict('CheckoutOtpResponseCheckoutReturns', {
    'amount': Decimal | int,
    'reason': str,
    'state': str,
})
CheckoutOtpResponseCheckout = TypedDict('CheckoutOtpResponseCheckout', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'merchantLogo': str | None,
    'supportContact': str | None,
    'paymentDescription': str | None,
    'currencyCode': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'totalPayable': Decimal | int,
    'amountPaid': Decimal | int,
    'paymentStatus': str,
    'completed': bool,
    'paymentMethods': list[str],
    'paymentMethod': str | None,
    'createdOn': int,
    'paidOn': int | None,
    'expiresOn': int,
    'now': int,
    'account': CheckoutOtpResponseCheckoutAccount | None,
    'card': CheckoutOtpResponseCheckoutCard | None,
    'payer': str | None,
    'receiptNumber': str,
    'receiptProof': str | None,
    'invoice': CheckoutOtpResponseCheckoutInvoice | None,
    'cardInProgress': bool,
    'paused': bool,
    'canSaveCard': bool,
    'returns': list[CheckoutOtpResponseCheckoutReturns],
    'returnUrl': str | None,
})
CheckoutOtpResponse = TypedDict('CheckoutOtpResponse', {
    'status': str,
    'message': str,
    'otp': CheckoutOtpResponseOtp | None,
    'redirectUrl': str | None,
    'checkout': CheckoutOtpResponseCheckout,
})
CheckoutMailReceiptRequest = TypedDict('CheckoutMailReceiptRequest', {
    'checkoutReference': str,
    'language': NotRequired[str],
})
CheckoutMailReceiptResponse = TypedDict('CheckoutMailReceiptResponse', {
    'receiptNumber': str,
})
CheckoutCheckReceiptRequest = TypedDict('CheckoutCheckReceiptRequest', {
    'receipt': str,
})
CheckoutCheckReceiptResponse = TypedDict('CheckoutCheckReceiptResponse', {
    'transactionReference': str,
    'currencyCode': str,
    'amountPaid': Decimal | int,
    'amountRefunded': Decimal | int,
    'amountReversed': Decimal | int,
    'now': int,
})
CheckoutInlineRequestIncomeSplitConfig = TypedDict('CheckoutInlineRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
CheckoutInlineRequest = TypedDict('CheckoutInlineRequest', {
    'apiKey': str,
    'contractCode': str,
    'amount': Decimal | float | str,
    'currency': str,
    'reference': str,
    'customerFullName': NotRequired[str | None],
    'customerName': NotRequired[str | None],
    'customerEmail': str,
    'paymentDescription': NotRequired[str | None],
    'paymentMethods': NotRequired[Sequence[str] | None],
    'incomeSplitConfig': NotRequired[Sequence[CheckoutInlineRequestIncomeSplitConfig] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'signature': NotRequired[str | None],
})
CheckoutInlineResponse = TypedDict('CheckoutInlineResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'merchantName': str,
    'checkoutUrl': str,
})
CardsChargeRequestCard = TypedDict('CardsChargeRequestCard', {
    'number': str,
    'pin': NotRequired[str | None],
    'expiryMonth': str,
    'expiryYear': str,
    'cvv': str,
})
CardsChargeRequestDeviceInformation = TypedDict('CardsChargeRequestDeviceInformation', {
    'httpBrowserLanguage': NotRequired[Any | None],
    'httpBrowserJavaEnabled': NotRequired[Any | None],
    'httpBrowserJavaScriptEnabled': NotRequired[Any | None],
    'httpBrowserColorDepth': NotRequired[Any | None],
    'httpBrowserScreenHeight': NotRequired[Any | None],
    'httpBrowserScreenWidth': NotRequired[Any | None],
    'httpBrowserTimeDifference': NotRequired[Any | None],
    'userAgentBrowserValue': NotRequired[Any | None],
})
CardsChargeRequest = TypedDict('CardsChargeRequest', {
    'transactionReference': str,
    'collectionChannel': NotRequired[str | None],
    'card': CardsChargeRequestCard,
    'deviceInformation': NotRequired[CardsChargeRequestDeviceInformation | None],
})
CardsChargeResponseOtpData = TypedDict('CardsChargeResponseOtpData', {
    'id': str,
    'message': str,
    'authData': str,
})
CardsChargeResponseSecure3dData = TypedDict('CardsChargeResponseSecure3dData', {
    'id': str,
    'redirectUrl': str,
    'acsUrl': str,
    'method': str,
})
CardsChargeResponse = TypedDict('CardsChargeResponse', {
    'status': str,
    'message': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
    'otpData': NotRequired[CardsChargeResponseOtpData],
    'secure3dData': NotRequired[CardsChargeResponseSecure3dData],
})
CardsAuthorizeOtpRequest = TypedDict('CardsAuthorizeOtpRequest', {
    'transactionReference': str,
    'collectionChannel': NotRequired[str | None],
    'tokenId': str,
    'token': str,
})
CardsAuthorizeOtpResponseOtpData = TypedDict('CardsAuthorizeOtpResponseOtpData', {
    'id': str,
    'message': str,
    'authData': str,
})
CardsAuthorizeOtpResponseSecure3dData = TypedDict('CardsAuthorizeOtpResponseSecure3dData', {
    'id': str,
    'redirectUrl': str,
    'acsUrl': str,
    'method': str,
})
CardsAuthorizeOtpResponse = TypedDict('CardsAuthorizeOtpResponse', {
    'status': str,
    'message': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
    'otpData': NotRequired[CardsAuthorizeOtpResponseOtpData],
    'secure3dData': NotRequired[CardsAuthorizeOtpResponseSecure3dData],
    'paymentStatus': str,
    'amountPaid': Decimal | int,
    'currencyPaid': str,
})
CardsAuthorizeSecure3dRequestCard = TypedDict('CardsAuthorizeSecure3dRequestCard', {
    'number': str,
    'pin': NotRequired[str | None],
    'expiryMonth': str,
    'expiryYear': str,
    'cvv': str,
})
CardsAuthorizeSecure3dRequest = TypedDict('CardsAuthorizeSecure3dRequest', {
    'transactionReference': str,
    'collectionChannel': NotRequired[str | None],
    'card': NotRequired[CardsAuthorizeSecure3dRequestCard | None],
    'apiKey': str,
})
CardsAuthorizeSecure3dResponseOtpData = TypedDict('CardsAuthorizeSecure3dResponseOtpData', {
    'id': str,
    'message': str,
    'authData': str,
})
CardsAuthorizeSecure3dResponseSecure3dData = TypedDict('CardsAuthorizeSecure3dResponseSecure3dData', {
    'id': str,
    'redirectUrl': str,
    'acsUrl': str,
    'method': str,
})
CardsAuthorizeSecure3dResponse = TypedDict('CardsAuthorizeSecure3dResponse', {
    'status': str,
    'message': str,
    'transactionReference': str,
    'paymentReference': str,
    'authorizedAmount': Decimal | int,
    'otpData': NotRequired[CardsAuthorizeSecure3dResponseOtpData],
    'secure3dData': NotRequired[CardsAuthorizeSecure3dResponseSecure3dData],
    'paymentStatus': str,
    'amountPaid': Decimal | int,
    'currencyPaid': str,
})
RecurringPaymentChargeRequestIncomeSplitConfig = TypedDict('RecurringPaymentChargeRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
RecurringPaymentChargeRequest = TypedDict('RecurringPaymentChargeRequest', {
    'cardToken': str,
    'amount': Decimal | float | str,
    'customerName': str,
    'customerEmail': str,
    'paymentReference': str,
    'paymentDescription': str,
    'currencyCode': str,
    'contractCode': str,
    'apiKey': str,
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
    'incomeSplitConfig': NotRequired[Sequence[RecurringPaymentChargeRequestIncomeSplitConfig] | None],
})
RecurringPaymentChargeResponseProduct = TypedDict('RecurringPaymentChargeResponseProduct', {
    'type': str,
    'reference': str,
})
RecurringPaymentChargeResponseCardDetails = TypedDict('RecurringPaymentChargeResponseCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
RecurringPaymentChargeResponseAccountDetails = TypedDict('RecurringPaymentChargeResponseAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
RecurringPaymentChargeResponseAccountPayments = TypedDict('RecurringPaymentChargeResponseAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
RecurringPaymentChargeResponseCustomer = TypedDict('RecurringPaymentChargeResponseCustomer', {
    'email': str,
    'name': str | None,
})
RecurringPaymentChargeResponse = TypedDict('RecurringPaymentChargeResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': RecurringPaymentChargeResponseProduct,
    'cardDetails': RecurringPaymentChargeResponseCardDetails | None,
    'accountDetails': RecurringPaymentChargeResponseAccountDetails | None,
    'accountPayments': list[RecurringPaymentChargeResponseAccountPayments],
    'customer': RecurringPaymentChargeResponseCustomer,
    'metaData': dict[str, Any],
})
WalletsCreateRequestBvnDetails = TypedDict('WalletsCreateRequestBvnDetails', {
    'bvn': str,
    'bvnDateOfBirth': str,
})
WalletsCreateRequest = TypedDict('WalletsCreateRequest', {
    'walletReference': str,
    'walletName': str,
    'customerName': str,
    'customerEmail': str,
    'bvnDetails': WalletsCreateRequestBvnDetails,
})
WalletsCreateResponseBvnDetails = TypedDict('WalletsCreateResponseBvnDetails', {
    'bvn': str,
    'bvnDateOfBirth': str,
})
WalletsCreateResponseTopUpAccountDetails = TypedDict('WalletsCreateResponseTopUpAccountDetails', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
    'createdOn': str,
})
WalletsCreateResponse = TypedDict('WalletsCreateResponse', {
    'walletName': str,
    'walletReference': str,
    'customerName': str,
    'customerEmail': str,
    'feeBearer': str,
    'bvnDetails': WalletsCreateResponseBvnDetails,
    'accountNumber': str,
    'accountName': str,
    'topUpAccountDetails': WalletsCreateResponseTopUpAccountDetails,
})
WalletsListRequest = TypedDict('WalletsListRequest', {
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
    'walletReference': NotRequired[str],
    'customerEmail': NotRequired[str],
})
WalletsListResponseContentBvnDetails = TypedDict('WalletsListResponseContentBvnDetails', {
    'bvn': str,
    'bvnDateOfBirth': str,
})
WalletsListResponseContentTopUpAccountDetails = TypedDict('WalletsListResponseContentTopUpAccountDetails', {
    'accountNumber': str,
    'accountName': str,
    'bankCode': str,
    'bankName': str,
    'createdOn': str,
})
WalletsListResponseContent = TypedDict('WalletsListResponseContent', {
    'walletName': str,
    'walletReference': str,
    'customerName': str,
    'customerEmail': str,
    'feeBearer': str,
    'bvnDetails': WalletsListResponseContentBvnDetails,
    'accountNumber': str,
    'accountName': str,
    'topUpAccountDetails': WalletsListResponseContentTopUpAccountDetails,
})
WalletsListResponsePageableSort = TypedDict('WalletsListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
WalletsListResponsePageable = TypedDict('WalletsListResponsePageable', {
    'sort': WalletsListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
WalletsListResponseSort = TypedDict('WalletsListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
WalletsListResponse = TypedDict('WalletsListResponse', {
    'content': list[WalletsListResponseContent],
    'pageable': WalletsListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': WalletsListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
WalletsGetBalanceRequest = TypedDict('WalletsGetBalanceRequest', {
    'accountNumber': NotRequired[str],
    'walletReference': NotRequired[str],
})
WalletsGetBalanceResponse = TypedDict('WalletsGetBalanceResponse', {
    'availableBalance': Decimal | int,
    'ledgerBalance': Decimal | int,
})
WalletsListTransactionsRequest = TypedDict('WalletsListTransactionsRequest', {
    'pageNo': NotRequired[int],
    'pageSize': NotRequired[int],
    'accountNumber': NotRequired[str],
    'walletReference': NotRequired[str],
})
WalletsListTransactionsResponseContent = TypedDict('WalletsListTransactionsResponseContent', {
    'walletTransactionReference': str,
    'transactionReference': str,
    'availableBalanceBefore': Decimal | int,
    'availableBalanceAfter': Decimal | int,
    'amount': Decimal | int,
    'transactionDate': str,
    'transactionType': str,
    'message': str,
    'narration': str | None,
    'status': str,
})
WalletsListTransactionsResponsePageableSort = TypedDict('WalletsListTransactionsResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
WalletsListTransactionsResponsePageable = TypedDict('WalletsListTransactionsResponsePageable', {
    'sort': WalletsListTransactionsResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
WalletsListTransactionsResponseSort = TypedDict('WalletsListTransactionsResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
WalletsListTransactionsResponse = TypedDict('WalletsListTransactionsResponse', {
    'content': list[WalletsListTransactionsResponseContent],
    'pageable': WalletsListTransactionsResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': WalletsListTransactionsResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
VerificationMatchBvnDetailsRequest = TypedDict('VerificationMatchBvnDetailsRequest', {
    'bvn': str,
    'name': str,
    'dateOfBirth': str,
    'mobileNo': str,
})
VerificationMatchBvnDetailsResponseName = TypedDict('VerificationMatchBvnDetailsResponseName', {
    'matchStatus': str,
    'matchPercentage': int,
})
VerificationMatchBvnDetailsResponse = TypedDict('VerificationMatchBvnDetailsResponse', {
    'bvn': str,
    'name': VerificationMatchBvnDetailsResponseName,
    'dateOfBirth': str,
    'mobileNo': str,
})
VerificationMatchBvnAccountRequest = TypedDict('VerificationMatchBvnAccountRequest', {
    'bankCode': str,
    'accountNumber': str,
    'bvn': str,
})
VerificationMatchBvnAccountResponse = TypedDict('VerificationMatchBvnAccountResponse', {
    'bvn': str,
    'accountNumber': str,
    'accountName': str,
    'matchStatus': str,
    'matchPercentage': int,
})
VerificationGetNinDetailsRequest = TypedDict('VerificationGetNinDetailsRequest', {
    'nin': str,
})
VerificationGetNinDetailsResponse = TypedDict('VerificationGetNinDetailsResponse', {
    'nin': str,
    'lastName': str,
    'firstName': str,
    'middleName': str | None,
    'dateOfBirth': str,
    'gender': str,
    'mobileNumber': str,
})
BillsPaymentListCategoriesRequest = TypedDict('BillsPaymentListCategoriesRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
})
BillsPaymentListCategoriesResponseContent = TypedDict('BillsPaymentListCategoriesResponseContent', {
    'code': str,
    'name': str,
})
BillsPaymentListCategoriesResponse = TypedDict('BillsPaymentListCategoriesResponse', {
    'content': list[BillsPaymentListCategoriesResponseContent],
    'totalElements': int,
    'size': int,
    'number': int,
    'empty': bool,
    'nextPage': int | None,
})
BillsPaymentListBillersRequest = TypedDict('BillsPaymentListBillersRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'category_code': NotRequired[str],
})
BillsPaymentListBillersResponseContentCategories = TypedDict('BillsPaymentListBillersResponseContentCategories', {
    'code': str,
    'name': str,
})
BillsPaymentListBillersResponseContent = TypedDict('BillsPaymentListBillersResponseContent', {
    'code': str,
    'name': str,
    'categories': list[BillsPaymentListBillersResponseContentCategories],
})
BillsPaymentListBillersResponse = TypedDict('BillsPaymentListBillersResponse', {
    'content': list[BillsPaymentListBillersResponseContent],
    'totalElements': int,
    'size': int,
    'number': int,
    'empty': bool,
    'nextPage': int | None,
})
BillsPaymentListProductsRequest = TypedDict('BillsPaymentListProductsRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'biller_code': NotRequired[str],
    'category_code': NotRequired[str],
})
BillsPaymentListProductsResponseContentCategory = TypedDict('BillsPaymentListProductsResponseContentCategory', {
    'code': str,
    'name': str,
})
BillsPaymentListProductsResponseContentBiller = TypedDict('BillsPaymentListProductsResponseContentBiller', {
    'code': str,
    'name': str,
})
BillsPaymentListProductsResponseContent = TypedDict('BillsPaymentListProductsResponseContent', {
    'code': str,
    'name': str,
    'category': BillsPaymentListProductsResponseContentCategory,
    'biller': BillsPaymentListProductsResponseContentBiller,
    'priceType': str,
    'price': Decimal | int | None,
    'minAmount': Decimal | int | None,
    'maxAmount': Decimal | int | None,
    'metadata': dict[str, Any],
})
BillsPaymentListProductsResponse = TypedDict('BillsPaymentListProductsResponse', {
    'content': list[BillsPaymentListProductsResponseContent],
    'totalElements': int,
    'size': int,
    'number': int,
    'empty': bool,
    'nextPage': int | None,
})
BillsPaymentValidateCustomerRequest = TypedDict('BillsPaymentValidateCustomerRequest', {
    'productCode': str,
    'customerId': str,
})
BillsPaymentValidateCustomerResponseVendInstruction = TypedDict('BillsPaymentValidateCustomerResponseVendInstruction', {
    'requireValidationRef': bool,
    'validationReference': str | None,
})
BillsPaymentValidateCustomerResponse = TypedDict('BillsPaymentValidateCustomerResponse', {
    'priceType': str,
    'price': Decimal | int | None,
    'minAmount': Decimal | int | None,
    'maxAmount': Decimal | int | None,
    'customerName': str | None,
    'vendInstruction': BillsPaymentValidateCustomerResponseVendInstruction,
})
BillsPaymentVendRequest = TypedDict('BillsPaymentVendRequest', {
    'productCode': str,
    'customerId': str,
    'amount': NotRequired[Decimal | float | str | None],
    'reference': str,
    'validationReference': NotRequired[str | None],
    'emailAddress': NotRequired[str | None],
    'phoneNumber': NotRequired[str | None],
})
BillsPaymentVendResponse = TypedDict('BillsPaymentVendResponse', {
    'vendReference': str,
    'transactionReference': str,
    'vendStatus': str,
    'description': str,
    'vendAmount': Decimal | int,
    'payableAmount': Decimal | int,
    'commission': Decimal | int,
    'customerId': str,
    'productCode': str,
    'productName': str,
    'billerCode': str,
    'billerName': str,
    'metadata': dict[str, Any],
})
BillsPaymentRequeryRequest = TypedDict('BillsPaymentRequeryRequest', {
    'reference': str,
})
BillsPaymentRequeryResponse = TypedDict('BillsPaymentRequeryResponse', {
    'vendReference': str,
    'transactionReference': str,
    'vendStatus': str,
    'description': str,
    'vendAmount': Decimal | int,
    'payableAmount': Decimal | int,
    'commission': Decimal | int,
    'customerId': str,
    'productCode': str,
    'productName': str,
    'billerCode': str,
    'billerName': str,
    'metadata': dict[str, Any],
})
SubAccountsCreateRequest = TypedDict('SubAccountsCreateRequest', {
    'subAccounts': Any,
})
SubAccountsCreateResponse = TypedDict('SubAccountsCreateResponse', {
    'subAccountCode': str,
    'accountNumber': str,
    'accountName': str,
    'currencyCode': str,
    'email': str,
    'bankCode': str,
    'bankName': str,
    'defaultSplitPercentage': Decimal | int,
    'settlementProfileCode': str,
    'settlementReportEmails': list[str],
})
SubAccountsListRequest = TypedDict('SubAccountsListRequest', {

})
SubAccountsListResponse = TypedDict('SubAccountsListResponse', {
    'subAccountCode': str,
    'accountNumber': str,
    'accountName': str,
    'currencyCode': str,
    'email': str,
    'bankCode': str,
    'bankName': str,
    'defaultSplitPercentage': Decimal | int,
    'settlementProfileCode': str,
    'settlementReportEmails': list[str],
})
SubAccountsChangeRequest = TypedDict('SubAccountsChangeRequest', {
    'subAccountCode': str,
    'currencyCode': NotRequired[str | None],
    'accountNumber': NotRequired[str | None],
    'bankCode': NotRequired[str | None],
    'email': NotRequired[str | None],
    'defaultSplitPercentage': NotRequired[Decimal | float | str | None],
    'settlementProfileCode': NotRequired[str | None],
    'settlementReportEmails': NotRequired[Sequence[str] | None],
})
SubAccountsChangeResponse = TypedDict('SubAccountsChangeResponse', {
    'subAccountCode': str,
    'accountNumber': str,
    'accountName': str,
    'currencyCode': str,
    'email': str,
    'bankCode': str,
    'bankName': str,
    'defaultSplitPercentage': Decimal | int,
    'settlementProfileCode': str,
    'settlementReportEmails': list[str],
})
SubAccountsDeleteRequest = TypedDict('SubAccountsDeleteRequest', {
    'subAccountCode': str,
})
SubAccountsDeleteByQueryRequest = TypedDict('SubAccountsDeleteByQueryRequest', {
    'subAccountCode': str,
})
SettlementsListRequest = TypedDict('SettlementsListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
})
SettlementsListResponseContent = TypedDict('SettlementsListResponseContent', {
    'settlementReference': str,
    'settlementDate': str,
    'settlementAmount': Decimal | int,
    'debtRepaid': Decimal | int,
    'reserved': Decimal | int,
    'transactionsCount': int,
    'currency': str,
    'settlementStatus': str,
    'destinationAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationBankCode': str,
})
SettlementsListResponsePageableSort = TypedDict('SettlementsListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SettlementsListResponsePageable = TypedDict('SettlementsListResponsePageable', {
    'sort': SettlementsListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
SettlementsListResponseSort = TypedDict('SettlementsListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SettlementsListResponse = TypedDict('SettlementsListResponse', {
    'content': list[SettlementsListResponseContent],
    'pageable': SettlementsListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': SettlementsListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
SettlementsFindTransactionsRequest = TypedDict('SettlementsFindTransactionsRequest', {
    'reference': str,
    'page': NotRequired[int],
    'size': NotRequired[int],
})
SettlementsFindTransactionsResponseContentProduct = TypedDict('SettlementsFindTransactionsResponseContentProduct', {
    'type': str,
    'reference': str,
})
SettlementsFindTransactionsResponseContentCardDetails = TypedDict('SettlementsFindTransactionsResponseContentCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
SettlementsFindTransactionsResponseContentAccountDetails = TypedDict('SettlementsFindTransactionsResponseContentAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SettlementsFindTransactionsResponseContentAccountPayments = TypedDict('SettlementsFindTransactionsResponseContentAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SettlementsFindTransactionsResponseContentCustomer = TypedDict('SettlementsFindTransactionsResponseContentCustomer', {
    'email': str,
    'name': str | None,
})
SettlementsFindTransactionsResponseContent = TypedDict('SettlementsFindTransactionsResponseContent', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': SettlementsFindTransactionsResponseContentProduct,
    'cardDetails': SettlementsFindTransactionsResponseContentCardDetails | None,
    'accountDetails': SettlementsFindTransactionsResponseContentAccountDetails | None,
    'accountPayments': list[SettlementsFindTransactionsResponseContentAccountPayments],
    'customer': SettlementsFindTransactionsResponseContentCustomer,
    'metaData': dict[str, Any],
})
SettlementsFindTransactionsResponsePageableSort = TypedDict('SettlementsFindTransactionsResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SettlementsFindTransactionsResponsePageable = TypedDict('SettlementsFindTransactionsResponsePageable', {
    'sort': SettlementsFindTransactionsResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
SettlementsFindTransactionsResponseSort = TypedDict('SettlementsFindTransactionsResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SettlementsFindTransactionsResponse = TypedDict('SettlementsFindTransactionsResponse', {
    'content': list[SettlementsFindTransactionsResponseContent],
    'pageable': SettlementsFindTransactionsResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': SettlementsFindTransactionsResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
SettlementsGetDetailRequest = TypedDict('SettlementsGetDetailRequest', {
    'transactionReference': str,
})
SettlementsGetDetailResponseTransactionProduct = TypedDict('SettlementsGetDetailResponseTransactionProduct', {
    'type': str,
    'reference': str,
})
SettlementsGetDetailResponseTransactionCardDetails = TypedDict('SettlementsGetDetailResponseTransactionCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
SettlementsGetDetailResponseTransactionAccountDetails = TypedDict('SettlementsGetDetailResponseTransactionAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SettlementsGetDetailResponseTransactionAccountPayments = TypedDict('SettlementsGetDetailResponseTransactionAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SettlementsGetDetailResponseTransactionCustomer = TypedDict('SettlementsGetDetailResponseTransactionCustomer', {
    'email': str,
    'name': str | None,
})
SettlementsGetDetailResponseTransaction = TypedDict('SettlementsGetDetailResponseTransaction', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': SettlementsGetDetailResponseTransactionProduct,
    'cardDetails': SettlementsGetDetailResponseTransactionCardDetails | None,
    'accountDetails': SettlementsGetDetailResponseTransactionAccountDetails | None,
    'accountPayments': list[SettlementsGetDetailResponseTransactionAccountPayments],
    'customer': SettlementsGetDetailResponseTransactionCustomer,
    'metaData': dict[str, Any],
})
SettlementsGetDetailResponseBeneficiariesSettlementInformation = TypedDict('SettlementsGetDetailResponseBeneficiariesSettlementInformation', {
    'settledDate': str | None,
    'settlementReference': str,
    'settlementAmount': Decimal | int,
    'settlementFee': Decimal | int,
    'debtRepaid': Decimal | int,
    'reserved': Decimal | int,
    'destinationAccountNumber': str,
    'destinationAccountName': str,
    'destinationBankName': str,
    'destinationBankCode': str,
})
SettlementsGetDetailResponseBeneficiaries = TypedDict('SettlementsGetDetailResponseBeneficiaries', {
    'beneficiaryType': str,
    'beneficiaryCode': str,
    'beneficiaryIncome': Decimal | int,
    'incurredFee': Decimal | int,
    'settlementStatus': str,
    'settlementInformation': SettlementsGetDetailResponseBeneficiariesSettlementInformation,
})
SettlementsGetDetailResponse = TypedDict('SettlementsGetDetailResponse', {
    'transactionReference': str,
    'settlementReference': str,
    'settlementDate': str,
    'settlementAmount': Decimal | int,
    'debtRepaid': Decimal | int,
    'reserved': Decimal | int,
    'currency': str,
    'transaction': SettlementsGetDetailResponseTransaction,
    'beneficiaries': list[SettlementsGetDetailResponseBeneficiaries],
})
DirectDebitCreateMandateRequest = TypedDict('DirectDebitCreateMandateRequest', {
    'contractCode': str,
    'mandateReference': str,
    'autoRenew': NotRequired[bool | None],
    'customerName': str,
    'customerEmailAddress': str,
    'customerPhoneNumber': str,
    'customerAddress': str,
    'customerAccountNumber': str,
    'customerAccountBankCode': str,
    'customerAccountName': NotRequired[str | None],
    'mandateDescription': str,
    'mandateStartDate': str,
    'mandateEndDate': str,
    'mandateAmount': NotRequired[Decimal | float | str | None],
    'debitAmount': NotRequired[Decimal | float | str | None],
    'customerCancellation': NotRequired[bool | None],
    'redirectUrl': NotRequired[str | None],
    'language': NotRequired[str],
})
DirectDebitCreateMandateResponse = TypedDict('DirectDebitCreateMandateResponse', {
    'responseMessage': str,
    'mandateReference': str,
    'mandateCode': str,
    'mandateStatus': str,
    'redirectUrl': NotRequired[str],
})
DirectDebitGetMandatesRequest = TypedDict('DirectDebitGetMandatesRequest', {
    'mandateReferences': str,
})
DirectDebitGetMandatesResponse = TypedDict('DirectDebitGetMandatesResponse', {
    'mandateCode': str,
    'externalMandateReference': str,
    'mandateReference': str,
    'startDate': str,
    'endDate': str,
    'mandateStatus': str,
    'mandateAmount': Decimal | int,
    'contractCode': str,
    'autoRenew': bool,
    'customerPhoneNumber': str,
    'customerEmailAddress': str,
    'customerAddress': str,
    'customerName': str,
    'customerAccountName': str,
    'customerAccountNumber': str,
    'customerAccountBankCode': str,
    'mandateDescription': str,
    'debitAmount': Decimal | int | None,
    'authorizationMessage': str | None,
    'authorizationLink': str | None,
    'schemeCode': str,
    'responseMessage': str | None,
})
DirectDebitListMandatesRequest = TypedDict('DirectDebitListMandatesRequest', {
    'startDate': NotRequired[str],
    'endDate': NotRequired[str],
    'page': NotRequired[int],
    'limit': NotRequired[int],
    'customerEmail': NotRequired[str],
    'mandateStatus': NotRequired[str],
})
DirectDebitListMandatesResponseContent = TypedDict('DirectDebitListMandatesResponseContent', {
    'mandateCode': str,
    'externalMandateReference': str,
    'mandateReference': str,
    'startDate': str,
    'endDate': str,
    'mandateStatus': str,
    'mandateAmount': Decimal | int,
    'contractCode': str,
    'autoRenew': bool,
    'customerPhoneNumber': str,
    'customerEmailAddress': str,
    'customerAddress': str,
    'customerName': str,
    'customerAccountName': str,
    'customerAccountNumber': str,
    'customerAccountBankCode': str,
    'mandateDescription': str,
    'debitAmount': Decimal | int | None,
    'authorizationMessage': str | None,
    'authorizationLink': str | None,
    'schemeCode': str,
    'responseMessage': str | None,
})
DirectDebitListMandatesResponsePageableSort = TypedDict('DirectDebitListMandatesResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
DirectDebitListMandatesResponsePageable = TypedDict('DirectDebitListMandatesResponsePageable', {
    'sort': DirectDebitListMandatesResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
DirectDebitListMandatesResponseSort = TypedDict('DirectDebitListMandatesResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
DirectDebitListMandatesResponse = TypedDict('DirectDebitListMandatesResponse', {
    'content': list[DirectDebitListMandatesResponseContent],
    'pageable': DirectDebitListMandatesResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': DirectDebitListMandatesResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
DirectDebitDebitRequestIncomeSplitConfig = TypedDict('DirectDebitDebitRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
DirectDebitDebitRequest = TypedDict('DirectDebitDebitRequest', {
    'paymentReference': str,
    'mandateCode': str,
    'debitAmount': Decimal | float | str,
    'narration': str,
    'customerEmail': str,
    'incomeSplitConfig': NotRequired[Sequence[DirectDebitDebitRequestIncomeSplitConfig] | None],
})
DirectDebitDebitResponse = TypedDict('DirectDebitDebitResponse', {
    'transactionStatus': str,
    'responseMessage': str | None,
    'transactionReference': str,
    'paymentReference': str,
    'debitAmount': Decimal | int,
    'narration': str,
    'mandateCode': str,
})
DirectDebitGetDebitStatusRequest = TypedDict('DirectDebitGetDebitStatusRequest', {
    'paymentReference': str,
})
DirectDebitGetDebitStatusResponse = TypedDict('DirectDebitGetDebitStatusResponse', {
    'transactionStatus': str,
    'responseMessage': str | None,
    'transactionReference': str,
    'paymentReference': str,
    'debitAmount': Decimal | int,
    'narration': str,
    'mandateCode': str,
})
DirectDebitCancelMandateRequest = TypedDict('DirectDebitCancelMandateRequest', {
    'mandateCode': str,
})
DirectDebitCancelMandateResponse = TypedDict('DirectDebitCancelMandateResponse', {
    'responseMessage': str,
    'mandateReference': str,
    'mandateCode': str,
    'mandateStatus': str,
})
PaycodesCreateRequest = TypedDict('PaycodesCreateRequest', {
    'beneficiaryName': str,
    'amount': Decimal | float | str,
    'paycodeReference': str,
    'expiryDate': str,
    'clientId': str,
})
PaycodesCreateResponse = TypedDict('PaycodesCreateResponse', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
PaycodesGetRequest = TypedDict('PaycodesGetRequest', {
    'paycodeReference': str,
})
PaycodesGetResponse = TypedDict('PaycodesGetResponse', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
PaycodesRevealRequest = TypedDict('PaycodesRevealRequest', {
    'paycodeReference': str,
})
PaycodesRevealResponse = TypedDict('PaycodesRevealResponse', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
PaycodesListRequest = TypedDict('PaycodesListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'transactionReference': NotRequired[str],
    'beneficiaryName': NotRequired[str],
    'transactionStatus': NotRequired[str],
    'from': NotRequired[str],
    'to': NotRequired[str],
})
PaycodesListResponseContent = TypedDict('PaycodesListResponseContent', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
PaycodesListResponsePageableSort = TypedDict('PaycodesListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
PaycodesListResponsePageable = TypedDict('PaycodesListResponsePageable', {
    'sort': PaycodesListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
PaycodesListResponseSort = TypedDict('PaycodesListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
PaycodesListResponse = TypedDict('PaycodesListResponse', {
    'content': list[PaycodesListResponseContent],
    'pageable': PaycodesListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': PaycodesListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
PaycodesCancelRequest = TypedDict('PaycodesCancelRequest', {
    'paycodeReference': str,
})
PaycodesCancelResponse = TypedDict('PaycodesCancelResponse', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
ReservedAccountsReserveRequestAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveRequestAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveRequestAllowedPaymentSources = TypedDict('ReservedAccountsReserveRequestAllowedPaymentSources', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveRequestAllowedPaymentSourcesBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveRequestAllowedPaymentSourceBankAccounts = TypedDict('ReservedAccountsReserveRequestAllowedPaymentSourceBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveRequestAllowedPaymentSource = TypedDict('ReservedAccountsReserveRequestAllowedPaymentSource', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveRequestAllowedPaymentSourceBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveRequestIncomeSplitConfig = TypedDict('ReservedAccountsReserveRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
ReservedAccountsReserveRequest = TypedDict('ReservedAccountsReserveRequest', {
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': NotRequired[str | None],
    'bvn': NotRequired[str | None],
    'nin': NotRequired[str | None],
    'getAllAvailableBanks': bool,
    'preferredBanks': NotRequired[Sequence[str] | None],
    'restrictPaymentSource': NotRequired[bool | None],
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveRequestAllowedPaymentSources | None],
    'allowedPaymentSource': NotRequired[ReservedAccountsReserveRequestAllowedPaymentSource | None],
    'incomeSplitConfig': NotRequired[Sequence[ReservedAccountsReserveRequestIncomeSplitConfig] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
})
ReservedAccountsReserveResponseAccounts = TypedDict('ReservedAccountsReserveResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsReserveResponseIncomeSplitConfig = TypedDict('ReservedAccountsReserveResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsReserveResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveResponseAllowedPaymentSources = TypedDict('ReservedAccountsReserveResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsReserveResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsReserveResponse = TypedDict('ReservedAccountsReserveResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsReserveResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsReserveResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveResponseAllowedPaymentSources],
})
ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveForInvoicesRequestAllowedPaymentSources = TypedDict('ReservedAccountsReserveForInvoicesRequestAllowedPaymentSources', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourcesBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourceBankAccounts = TypedDict('ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourceBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveForInvoicesRequestAllowedPaymentSource = TypedDict('ReservedAccountsReserveForInvoicesRequestAllowedPaymentSource', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourceBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveForInvoicesRequestIncomeSplitConfig = TypedDict('ReservedAccountsReserveForInvoicesRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
ReservedAccountsReserveForInvoicesRequest = TypedDict('ReservedAccountsReserveForInvoicesRequest', {
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': NotRequired[str | None],
    'bvn': NotRequired[str | None],
    'nin': NotRequired[str | None],
    'getAllAvailableBanks': NotRequired[bool | None],
    'preferredBanks': NotRequired[Sequence[str] | None],
    'restrictPaymentSource': NotRequired[bool | None],
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveForInvoicesRequestAllowedPaymentSources | None],
    'allowedPaymentSource': NotRequired[ReservedAccountsReserveForInvoicesRequestAllowedPaymentSource | None],
    'incomeSplitConfig': NotRequired[Sequence[ReservedAccountsReserveForInvoicesRequestIncomeSplitConfig] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
    'reservedAccountType': NotRequired[str | None],
})
ReservedAccountsReserveForInvoicesResponseAccounts = TypedDict('ReservedAccountsReserveForInvoicesResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsReserveForInvoicesResponseIncomeSplitConfig = TypedDict('ReservedAccountsReserveForInvoicesResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsReserveForInvoicesResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveForInvoicesResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveForInvoicesResponseAllowedPaymentSources = TypedDict('ReservedAccountsReserveForInvoicesResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsReserveForInvoicesResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsReserveForInvoicesResponse = TypedDict('ReservedAccountsReserveForInvoicesResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsReserveForInvoicesResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsReserveForInvoicesResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveForInvoicesResponseAllowedPaymentSources],
    'accountNumber': str,
    'bankName': str,
    'bankCode': str,
})
ReservedAccountsReserveWithLimitRequestAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveWithLimitRequestAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveWithLimitRequestAllowedPaymentSources = TypedDict('ReservedAccountsReserveWithLimitRequestAllowedPaymentSources', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveWithLimitRequestAllowedPaymentSourcesBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveWithLimitRequestAllowedPaymentSourceBankAccounts = TypedDict('ReservedAccountsReserveWithLimitRequestAllowedPaymentSourceBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveWithLimitRequestAllowedPaymentSource = TypedDict('ReservedAccountsReserveWithLimitRequestAllowedPaymentSource', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsReserveWithLimitRequestAllowedPaymentSourceBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsReserveWithLimitRequestIncomeSplitConfig = TypedDict('ReservedAccountsReserveWithLimitRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
ReservedAccountsReserveWithLimitRequest = TypedDict('ReservedAccountsReserveWithLimitRequest', {
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': NotRequired[str | None],
    'bvn': NotRequired[str | None],
    'nin': NotRequired[str | None],
    'getAllAvailableBanks': NotRequired[bool | None],
    'preferredBanks': NotRequired[Sequence[str] | None],
    'restrictPaymentSource': NotRequired[bool | None],
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveWithLimitRequestAllowedPaymentSources | None],
    'allowedPaymentSource': NotRequired[ReservedAccountsReserveWithLimitRequestAllowedPaymentSource | None],
    'incomeSplitConfig': NotRequired[Sequence[ReservedAccountsReserveWithLimitRequestIncomeSplitConfig] | None],
    'metaData': NotRequired[Mapping[str, Any] | None],
    'metadata': NotRequired[Mapping[str, Any] | None],
    'limitProfileCode': str,
})
ReservedAccountsReserveWithLimitResponseAccounts = TypedDict('ReservedAccountsReserveWithLimitResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsReserveWithLimitResponseIncomeSplitConfig = TypedDict('ReservedAccountsReserveWithLimitResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsReserveWithLimitResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsReserveWithLimitResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsReserveWithLimitResponseAllowedPaymentSources = TypedDict('ReservedAccountsReserveWithLimitResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsReserveWithLimitResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsReserveWithLimitResponseLimitProfileConfig = TypedDict('ReservedAccountsReserveWithLimitResponseLimitProfileConfig', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
})
ReservedAccountsReserveWithLimitResponse = TypedDict('ReservedAccountsReserveWithLimitResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsReserveWithLimitResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsReserveWithLimitResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsReserveWithLimitResponseAllowedPaymentSources],
    'limitProfileConfig': ReservedAccountsReserveWithLimitResponseLimitProfileConfig,
})
ReservedAccountsGetRequest = TypedDict('ReservedAccountsGetRequest', {
    'accountReference': str,
})
ReservedAccountsGetResponseAccounts = TypedDict('ReservedAccountsGetResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsGetResponseIncomeSplitConfig = TypedDict('ReservedAccountsGetResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsGetResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsGetResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsGetResponseAllowedPaymentSources = TypedDict('ReservedAccountsGetResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsGetResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsGetResponseContract = TypedDict('ReservedAccountsGetResponseContract', {
    'name': str,
    'code': str,
    'description': str,
})
ReservedAccountsGetResponseLimitProfileConfig = TypedDict('ReservedAccountsGetResponseLimitProfileConfig', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
})
ReservedAccountsGetResponse = TypedDict('ReservedAccountsGetResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsGetResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsGetResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsGetResponseAllowedPaymentSources],
    'accountNumber': str,
    'bankName': str,
    'bankCode': str,
    'contract': ReservedAccountsGetResponseContract,
    'transactionCount': int,
    'limitProfileConfig': NotRequired[ReservedAccountsGetResponseLimitProfileConfig],
})
ReservedAccountsListTransactionsRequest = TypedDict('ReservedAccountsListTransactionsRequest', {
    'accountReference': str,
    'page': NotRequired[int],
    'size': NotRequired[int],
})
ReservedAccountsListTransactionsResponseContentCustomerDTO = TypedDict('ReservedAccountsListTransactionsResponseContentCustomerDTO', {
    'email': str,
    'name': str | None,
    'merchantCode': str,
})
ReservedAccountsListTransactionsResponseContent = TypedDict('ReservedAccountsListTransactionsResponseContent', {
    'customerDTO': ReservedAccountsListTransactionsResponseContentCustomerDTO,
    'paymentMethod': NotRequired[str],
    'createdOn': str,
    'completedOn': NotRequired[str],
    'amount': Decimal | int,
    'flagged': bool,
    'fee': NotRequired[Decimal | int],
    'currencyCode': str,
    'paymentDescription': str | None,
    'paymentStatus': str,
    'transactionReference': str,
    'paymentReference': str,
    'merchantCode': str,
    'merchantName': str,
    'metaData': dict[str, Any],
    'payableAmount': Decimal | int,
    'amountPaid': NotRequired[Decimal | int],
    'completed': bool,
    'paymentMethodList': list[str],
    'collectionChannel': str,
    'providerAmount': Decimal | int,
    'providerCode': str,
    'settleInstantly': bool,
})
ReservedAccountsListTransactionsResponsePageableSort = TypedDict('ReservedAccountsListTransactionsResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
ReservedAccountsListTransactionsResponsePageable = TypedDict('ReservedAccountsListTransactionsResponsePageable', {
    'sort': ReservedAccountsListTransactionsResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
ReservedAccountsListTransactionsResponseSort = TypedDict('ReservedAccountsListTransactionsResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
ReservedAccountsListTransactionsResponse = TypedDict('ReservedAccountsListTransactionsResponse', {
    'content': list[ReservedAccountsListTransactionsResponseContent],
    'pageable': ReservedAccountsListTransactionsResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': ReservedAccountsListTransactionsResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
ReservedAccountsAddLinkedAccountsRequest = TypedDict('ReservedAccountsAddLinkedAccountsRequest', {
    'accountReference': str,
    'getAllAvailableBanks': NotRequired[bool | None],
    'preferredBanks': NotRequired[Sequence[str] | None],
})
ReservedAccountsAddLinkedAccountsResponseAccounts = TypedDict('ReservedAccountsAddLinkedAccountsResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsAddLinkedAccountsResponseIncomeSplitConfig = TypedDict('ReservedAccountsAddLinkedAccountsResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSources = TypedDict('ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsAddLinkedAccountsResponse = TypedDict('ReservedAccountsAddLinkedAccountsResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsAddLinkedAccountsResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsAddLinkedAccountsResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSources],
})
ReservedAccountsUpdateCustomerBvnRequest = TypedDict('ReservedAccountsUpdateCustomerBvnRequest', {
    'accountReference': str,
    'bvn': str,
})
ReservedAccountsUpdateCustomerBvnResponseAccounts = TypedDict('ReservedAccountsUpdateCustomerBvnResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsUpdateCustomerBvnResponseIncomeSplitConfig = TypedDict('ReservedAccountsUpdateCustomerBvnResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSources = TypedDict('ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsUpdateCustomerBvnResponse = TypedDict('ReservedAccountsUpdateCustomerBvnResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsUpdateCustomerBvnResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsUpdateCustomerBvnResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSources],
    'accountNumber': str,
    'bankName': str,
    'bankCode': str,
})
ReservedAccountsUpdateKycInfoRequest = TypedDict('ReservedAccountsUpdateKycInfoRequest', {
    'accountReference': str,
    'bvn': NotRequired[str | None],
    'nin': NotRequired[str | None],
})
ReservedAccountsUpdateKycInfoResponse = TypedDict('ReservedAccountsUpdateKycInfoResponse', {
    'accountReference': str,
    'accountName': str,
    'customerEmail': str,
    'customerName': str | None,
    'bvn': str | None,
    'nin': str | None,
})
ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSources = TypedDict('ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSources', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourcesBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourceBankAccounts = TypedDict('ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourceBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSource = TypedDict('ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSource', {
    'bvns': NotRequired[Sequence[str] | None],
    'bankAccounts': NotRequired[Sequence[ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourceBankAccounts] | None],
    'accountNames': NotRequired[Sequence[str] | None],
})
ReservedAccountsUpdatePaymentSourceFilterRequest = TypedDict('ReservedAccountsUpdatePaymentSourceFilterRequest', {
    'accountReference': str,
    'restrictPaymentSource': NotRequired[bool | None],
    'allowedPaymentSources': NotRequired[ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSources | None],
    'allowedPaymentSource': NotRequired[ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSource | None],
})
ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSources = TypedDict('ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsUpdatePaymentSourceFilterResponse = TypedDict('ReservedAccountsUpdatePaymentSourceFilterResponse', {
    'restrictPaymentSource': bool,
    'allowedPaymentSources': ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSources,
})
ReservedAccountsUpdateIncomeSplitConfigRequestIncomeSplitConfig = TypedDict('ReservedAccountsUpdateIncomeSplitConfigRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
ReservedAccountsUpdateIncomeSplitConfigRequest = TypedDict('ReservedAccountsUpdateIncomeSplitConfigRequest', {
    'accountReference': str,
    'incomeSplitConfig': Sequence[ReservedAccountsUpdateIncomeSplitConfigRequestIncomeSplitConfig],
})
ReservedAccountsUpdateIncomeSplitConfigResponseConfigDetails = TypedDict('ReservedAccountsUpdateIncomeSplitConfigResponseConfigDetails', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsUpdateIncomeSplitConfigResponse = TypedDict('ReservedAccountsUpdateIncomeSplitConfigResponse', {
    'code': str,
    'reservedAccountCode': str,
    'feeBearer': str,
    'configDetails': list[ReservedAccountsUpdateIncomeSplitConfigResponseConfigDetails],
})
ReservedAccountsSetLimitProfileRequest = TypedDict('ReservedAccountsSetLimitProfileRequest', {
    'accountReference': str,
    'limitProfileCode': str,
})
ReservedAccountsSetLimitProfileResponseAccounts = TypedDict('ReservedAccountsSetLimitProfileResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsSetLimitProfileResponseIncomeSplitConfig = TypedDict('ReservedAccountsSetLimitProfileResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsSetLimitProfileResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsSetLimitProfileResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsSetLimitProfileResponseAllowedPaymentSources = TypedDict('ReservedAccountsSetLimitProfileResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsSetLimitProfileResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsSetLimitProfileResponseLimitProfileConfig = TypedDict('ReservedAccountsSetLimitProfileResponseLimitProfileConfig', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
})
ReservedAccountsSetLimitProfileResponse = TypedDict('ReservedAccountsSetLimitProfileResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsSetLimitProfileResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsSetLimitProfileResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsSetLimitProfileResponseAllowedPaymentSources],
    'limitProfileConfig': ReservedAccountsSetLimitProfileResponseLimitProfileConfig,
})
ReservedAccountsDeallocateRequest = TypedDict('ReservedAccountsDeallocateRequest', {
    'accountReference': str,
})
ReservedAccountsDeallocateResponseAccounts = TypedDict('ReservedAccountsDeallocateResponseAccounts', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
ReservedAccountsDeallocateResponseIncomeSplitConfig = TypedDict('ReservedAccountsDeallocateResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'feePercentage': Decimal | int,
    'feeBearer': bool,
    'splitPercentage': Decimal | int,
    'splitAmount': NotRequired[Decimal | int],
    'reservedAccountConfigCode': str,
})
ReservedAccountsDeallocateResponseAllowedPaymentSourcesBankAccounts = TypedDict('ReservedAccountsDeallocateResponseAllowedPaymentSourcesBankAccounts', {
    'accountNumber': str,
    'bankCode': str,
})
ReservedAccountsDeallocateResponseAllowedPaymentSources = TypedDict('ReservedAccountsDeallocateResponseAllowedPaymentSources', {
    'bvns': list[str],
    'bankAccounts': list[ReservedAccountsDeallocateResponseAllowedPaymentSourcesBankAccounts],
    'accountNames': list[str],
})
ReservedAccountsDeallocateResponse = TypedDict('ReservedAccountsDeallocateResponse', {
    'contractCode': str,
    'accountReference': str,
    'accountName': str,
    'currencyCode': str,
    'customerEmail': str,
    'customerName': str | None,
    'accounts': list[ReservedAccountsDeallocateResponseAccounts],
    'collectionChannel': str,
    'reservationReference': str,
    'reservedAccountType': str,
    'status': str,
    'createdOn': str,
    'incomeSplitConfig': list[ReservedAccountsDeallocateResponseIncomeSplitConfig],
    'bvn': str | None,
    'nin': str | None,
    'restrictPaymentSource': bool,
    'allowedPaymentSources': NotRequired[ReservedAccountsDeallocateResponseAllowedPaymentSources],
    'accountNumber': str,
    'bankName': str,
    'bankCode': str,
})
LimitProfilesCreateRequest = TypedDict('LimitProfilesCreateRequest', {
    'limitProfileName': str,
    'singleTransactionValue': Decimal | float | str,
    'dailyTransactionValue': Decimal | float | str,
    'dailyTransactionVolume': Decimal | float | str,
})
LimitProfilesCreateResponse = TypedDict('LimitProfilesCreateResponse', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
    'dateCreated': str,
    'lastModified': str,
})
LimitProfilesListRequest = TypedDict('LimitProfilesListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
})
LimitProfilesListResponseContent = TypedDict('LimitProfilesListResponseContent', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
    'dateCreated': str,
    'lastModified': str,
})
LimitProfilesListResponsePageableSort = TypedDict('LimitProfilesListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
LimitProfilesListResponsePageable = TypedDict('LimitProfilesListResponsePageable', {
    'sort': LimitProfilesListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
LimitProfilesListResponseSort = TypedDict('LimitProfilesListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
LimitProfilesListResponse = TypedDict('LimitProfilesListResponse', {
    'content': list[LimitProfilesListResponseContent],
    'pageable': LimitProfilesListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': LimitProfilesListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
LimitProfilesUpdateRequest = TypedDict('LimitProfilesUpdateRequest', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | float | str,
    'dailyTransactionValue': Decimal | float | str,
    'dailyTransactionVolume': Decimal | float | str,
})
LimitProfilesUpdateResponse = TypedDict('LimitProfilesUpdateResponse', {
    'limitProfileCode': str,
    'limitProfileName': str,
    'singleTransactionValue': Decimal | int,
    'dailyTransactionValue': Decimal | int,
    'dailyTransactionVolume': int,
    'dateCreated': str,
    'lastModified': str,
})
InvoicesCreateRequestItems = TypedDict('InvoicesCreateRequestItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | float | str,
})
InvoicesCreateRequestIncomeSplitConfig = TypedDict('InvoicesCreateRequestIncomeSplitConfig', {
    'subAccountCode': str,
    'feeBearer': NotRequired[bool | None],
    'feePercentage': NotRequired[Decimal | float | str | None],
    'splitPercentage': NotRequired[Decimal | float | str | None],
    'splitAmount': NotRequired[Decimal | float | str | None],
})
InvoicesCreateRequest = TypedDict('InvoicesCreateRequest', {
    'amount': Decimal | float | str,
    'currencyCode': str,
    'invoiceReference': str,
    'customerName': str,
    'customerEmail': str,
    'contractCode': str,
    'description': str,
    'expiryDate': str,
    'items': NotRequired[Sequence[InvoicesCreateRequestItems] | None],
    'incomeSplitConfig': NotRequired[Sequence[InvoicesCreateRequestIncomeSplitConfig] | None],
    'redirectUrl': NotRequired[str | None],
    'paymentMethods': NotRequired[Sequence[str] | None],
    'accountReference': NotRequired[str | None],
})
InvoicesCreateResponseIncomeSplitConfig = TypedDict('InvoicesCreateResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'splitAmount': Decimal | int | None,
    'feePercentage': Decimal | int | None,
    'feeBearer': bool,
    'splitPercentage': Decimal | int | None,
})
InvoicesCreateResponseItems = TypedDict('InvoicesCreateResponseItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
InvoicesCreateResponse = TypedDict('InvoicesCreateResponse', {
    'amount': Decimal | int,
    'invoiceReference': str,
    'invoiceStatus': str,
    'description': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': str,
    'expiryDate': str,
    'createdBy': str,
    'createdOn': str,
    'checkoutUrl': str,
    'accountNumber': NotRequired[str],
    'accountName': NotRequired[str],
    'bankName': NotRequired[str],
    'bankCode': NotRequired[str],
    'redirectUrl': str | None,
    'transactionReference': str,
    'incomeSplitConfig': list[InvoicesCreateResponseIncomeSplitConfig],
    'items': NotRequired[list[InvoicesCreateResponseItems]],
})
InvoicesGetRequest = TypedDict('InvoicesGetRequest', {
    'invoiceReference': str,
})
InvoicesGetResponseIncomeSplitConfig = TypedDict('InvoicesGetResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'splitAmount': Decimal | int | None,
    'feePercentage': Decimal | int | None,
    'feeBearer': bool,
    'splitPercentage': Decimal | int | None,
})
InvoicesGetResponseItems = TypedDict('InvoicesGetResponseItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
InvoicesGetResponse = TypedDict('InvoicesGetResponse', {
    'amount': Decimal | int,
    'invoiceReference': str,
    'invoiceStatus': str,
    'description': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': str,
    'expiryDate': str,
    'createdBy': str,
    'createdOn': str,
    'checkoutUrl': str,
    'accountNumber': NotRequired[str],
    'accountName': NotRequired[str],
    'bankName': NotRequired[str],
    'bankCode': NotRequired[str],
    'redirectUrl': str | None,
    'transactionReference': str,
    'incomeSplitConfig': list[InvoicesGetResponseIncomeSplitConfig],
    'items': NotRequired[list[InvoicesGetResponseItems]],
})
InvoicesListRequest = TypedDict('InvoicesListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
})
InvoicesListResponseContentIncomeSplitConfig = TypedDict('InvoicesListResponseContentIncomeSplitConfig', {
    'subAccountCode': str,
    'splitAmount': Decimal | int | None,
    'feePercentage': Decimal | int | None,
    'feeBearer': bool,
    'splitPercentage': Decimal | int | None,
})
InvoicesListResponseContentItems = TypedDict('InvoicesListResponseContentItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
InvoicesListResponseContent = TypedDict('InvoicesListResponseContent', {
    'amount': Decimal | int,
    'invoiceReference': str,
    'invoiceStatus': str,
    'description': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': str,
    'expiryDate': str,
    'createdBy': str,
    'createdOn': str,
    'checkoutUrl': str,
    'accountNumber': NotRequired[str],
    'accountName': NotRequired[str],
    'bankName': NotRequired[str],
    'bankCode': NotRequired[str],
    'redirectUrl': str | None,
    'transactionReference': str,
    'incomeSplitConfig': list[InvoicesListResponseContentIncomeSplitConfig],
    'items': NotRequired[list[InvoicesListResponseContentItems]],
})
InvoicesListResponsePageableSort = TypedDict('InvoicesListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
InvoicesListResponsePageable = TypedDict('InvoicesListResponsePageable', {
    'sort': InvoicesListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
InvoicesListResponseSort = TypedDict('InvoicesListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
InvoicesListResponse = TypedDict('InvoicesListResponse', {
    'content': list[InvoicesListResponseContent],
    'pageable': InvoicesListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': InvoicesListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
InvoicesCancelRequest = TypedDict('InvoicesCancelRequest', {
    'invoiceReference': str,
})
InvoicesCancelResponseIncomeSplitConfig = TypedDict('InvoicesCancelResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'splitAmount': Decimal | int | None,
    'feePercentage': Decimal | int | None,
    'feeBearer': bool,
    'splitPercentage': Decimal | int | None,
})
InvoicesCancelResponseItems = TypedDict('InvoicesCancelResponseItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
InvoicesCancelResponse = TypedDict('InvoicesCancelResponse', {
    'amount': Decimal | int,
    'invoiceReference': str,
    'invoiceStatus': str,
    'description': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': str,
    'expiryDate': str,
    'createdBy': str,
    'createdOn': str,
    'checkoutUrl': str,
    'accountNumber': NotRequired[str],
    'accountName': NotRequired[str],
    'bankName': NotRequired[str],
    'bankCode': NotRequired[str],
    'redirectUrl': str | None,
    'transactionReference': str,
    'incomeSplitConfig': list[InvoicesCancelResponseIncomeSplitConfig],
    'items': NotRequired[list[InvoicesCancelResponseItems]],
})
InvoicesMailRequest = TypedDict('InvoicesMailRequest', {
    'invoiceReference': str,
    'language': NotRequired[str],
})
InvoicesMailResponseIncomeSplitConfig = TypedDict('InvoicesMailResponseIncomeSplitConfig', {
    'subAccountCode': str,
    'splitAmount': Decimal | int | None,
    'feePercentage': Decimal | int | None,
    'feeBearer': bool,
    'splitPercentage': Decimal | int | None,
})
InvoicesMailResponseItems = TypedDict('InvoicesMailResponseItems', {
    'description': str,
    'quantity': int,
    'unitPrice': Decimal | int,
})
InvoicesMailResponse = TypedDict('InvoicesMailResponse', {
    'amount': Decimal | int,
    'invoiceReference': str,
    'invoiceStatus': str,
    'description': str,
    'contractCode': str,
    'customerEmail': str,
    'customerName': str,
    'expiryDate': str,
    'createdBy': str,
    'createdOn': str,
    'checkoutUrl': str,
    'accountNumber': NotRequired[str],
    'accountName': NotRequired[str],
    'bankName': NotRequired[str],
    'bankCode': NotRequired[str],
    'redirectUrl': str | None,
    'transactionReference': str,
    'incomeSplitConfig': list[InvoicesMailResponseIncomeSplitConfig],
    'items': NotRequired[list[InvoicesMailResponseItems]],
})
PaymentLinksCreateRequest = TypedDict('PaymentLinksCreateRequest', {
    'linkReference': str,
    'title': str,
    'description': NotRequired[str | None],
    'amount': NotRequired[Decimal | float | str | None],
    'usage': str,
    'contractCode': str,
    'paymentMethods': NotRequired[Sequence[str] | None],
    'redirectUrl': NotRequired[str | None],
    'expiryDate': NotRequired[str | None],
})
PaymentLinksCreateResponse = TypedDict('PaymentLinksCreateResponse', {
    'linkReference': str,
    'url': str,
    'status': str,
    'title': str,
    'description': str | None,
    'amount': Decimal | int | None,
    'usage': str,
    'contractCode': str,
    'paymentMethods': list[str],
    'redirectUrl': str | None,
    'createdOn': str,
    'expiryDate': str | None,
    'transactionReference': str | None,
})
PaymentLinksGetRequest = TypedDict('PaymentLinksGetRequest', {
    'linkReference': str,
})
PaymentLinksGetResponse = TypedDict('PaymentLinksGetResponse', {
    'linkReference': str,
    'url': str,
    'status': str,
    'title': str,
    'description': str | None,
    'amount': Decimal | int | None,
    'usage': str,
    'contractCode': str,
    'paymentMethods': list[str],
    'redirectUrl': str | None,
    'createdOn': str,
    'expiryDate': str | None,
    'transactionReference': str | None,
})
PaymentLinksListRequest = TypedDict('PaymentLinksListRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
})
PaymentLinksListResponseContent = TypedDict('PaymentLinksListResponseContent', {
    'linkReference': str,
    'url': str,
    'status': str,
    'title': str,
    'description': str | None,
    'amount': Decimal | int | None,
    'usage': str,
    'contractCode': str,
    'paymentMethods': list[str],
    'redirectUrl': str | None,
    'createdOn': str,
    'expiryDate': str | None,
    'transactionReference': str | None,
})
PaymentLinksListResponsePageableSort = TypedDict('PaymentLinksListResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
PaymentLinksListResponsePageable = TypedDict('PaymentLinksListResponsePageable', {
    'sort': PaymentLinksListResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
PaymentLinksListResponseSort = TypedDict('PaymentLinksListResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
PaymentLinksListResponse = TypedDict('PaymentLinksListResponse', {
    'content': list[PaymentLinksListResponseContent],
    'pageable': PaymentLinksListResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': PaymentLinksListResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
PaymentLinksDisableRequest = TypedDict('PaymentLinksDisableRequest', {
    'linkReference': str,
})
PaymentLinksDisableResponse = TypedDict('PaymentLinksDisableResponse', {
    'linkReference': str,
    'url': str,
    'status': str,
    'title': str,
    'description': str | None,
    'amount': Decimal | int | None,
    'usage': str,
    'contractCode': str,
    'paymentMethods': list[str],
    'redirectUrl': str | None,
    'createdOn': str,
    'expiryDate': str | None,
    'transactionReference': str | None,
})
PaymentLinksMailRequest = TypedDict('PaymentLinksMailRequest', {
    'linkReference': str,
    'email': str,
    'language': NotRequired[str],
})
PaymentLinksMailResponse = TypedDict('PaymentLinksMailResponse', {
    'linkReference': str,
    'url': str,
    'status': str,
    'title': str,
    'description': str | None,
    'amount': Decimal | int | None,
    'usage': str,
    'contractCode': str,
    'paymentMethods': list[str],
    'redirectUrl': str | None,
    'createdOn': str,
    'expiryDate': str | None,
    'transactionReference': str | None,
})
CustomersListRequest = TypedDict('CustomersListRequest', {
    'search': NotRequired[str],
    'before': NotRequired[str],
    'size': NotRequired[int],
})
CustomersListResponseCustomers = TypedDict('CustomersListResponseCustomers', {
    'customerEmail': str,
    'customerName': str | None,
    'lastRecord': str,
    'lastActivityOn': str,
})
CustomersListResponse = TypedDict('CustomersListResponse', {
    'customers': list[CustomersListResponseCustomers],
    'next': str | None,
    'searchedBackTo': str | None,
})
BanksListRequest = TypedDict('BanksListRequest', {

})
BanksListResponse = TypedDict('BanksListResponse', {
    'name': str,
    'code': str,
    'ussdTemplate': str | None,
    'baseUssdCode': str | None,
    'transferUssdTemplate': str | None,
    'bankId': Any | None,
    'nipBankCode': str,
})
BanksListForUssdRequest = TypedDict('BanksListForUssdRequest', {

})
BanksListForUssdResponse = TypedDict('BanksListForUssdResponse', {
    'name': str,
    'code': str,
    'ussdTemplate': str | None,
    'baseUssdCode': str | None,
    'transferUssdTemplate': str | None,
    'bankId': Any | None,
    'nipBankCode': str,
})
MerchantSettingsGetRequest = TypedDict('MerchantSettingsGetRequest', {

})
MerchantSettingsGetResponseWebhookUrls = TypedDict('MerchantSettingsGetResponseWebhookUrls', {
    'collection': str | None,
    'disbursement': str | None,
    'refund': str | None,
    'settlement': str | None,
    'mandate': str | None,
    'wallet': str | None,
})
MerchantSettingsGetResponseSettlementAccount = TypedDict('MerchantSettingsGetResponseSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': str,
})
MerchantSettingsGetResponsePermissions = TypedDict('MerchantSettingsGetResponsePermissions', {
    'transfers': bool,
    'subAccounts': bool,
    'wallets': bool,
    'bills': bool,
    'paycode': bool,
    'refunds': bool,
    'cards': bool,
    'checkoutCards': bool,
    'recurring': bool,
    'reservedAccounts': bool,
    'directDebit': bool,
    'verification': bool,
    'settings': bool,
})
MerchantSettingsGetResponseReserve = TypedDict('MerchantSettingsGetResponseReserve', {
    'percent': str,
    'days': int,
})
MerchantSettingsGetResponse = TypedDict('MerchantSettingsGetResponse', {
    'webhookUrl': str | None,
    'webhookUrls': MerchantSettingsGetResponseWebhookUrls,
    'otpEnabled': bool,
    'ipWhitelist': list[str],
    'feeBearer': str,
    'underpayment': str,
    'settlement': str,
    'settlementTime': str,
    'settlementDestination': str,
    'settlementAccount': MerchantSettingsGetResponseSettlementAccount | None,
    'lowBalanceThreshold': Decimal | int | None,
    'permissions': MerchantSettingsGetResponsePermissions,
    'inlineOrigins': list[str],
    'compat': list[str],
    'brandColour': str | None,
    'supportContact': str | None,
    'logo': str | None,
    'paymentMethods': list[str],
    'accountDurationSeconds': int,
    'reserve': MerchantSettingsGetResponseReserve | None,
})
MerchantSettingsChangeRequestWebhookUrls = TypedDict('MerchantSettingsChangeRequestWebhookUrls', {
    'collection': NotRequired[str | None],
    'disbursement': NotRequired[str | None],
    'refund': NotRequired[str | None],
    'settlement': NotRequired[str | None],
    'mandate': NotRequired[str | None],
    'wallet': NotRequired[str | None],
})
MerchantSettingsChangeRequestSettlementAccount = TypedDict('MerchantSettingsChangeRequestSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': NotRequired[str | None],
})
MerchantSettingsChangeRequestPermissions = TypedDict('MerchantSettingsChangeRequestPermissions', {
    'transfers': NotRequired[bool | None],
    'subAccounts': NotRequired[bool | None],
    'wallets': NotRequired[bool | None],
    'bills': NotRequired[bool | None],
    'paycode': NotRequired[bool | None],
    'refunds': NotRequired[bool | None],
    'cards': NotRequired[bool | None],
    'checkoutCards': NotRequired[bool | None],
    'recurring': NotRequired[bool | None],
    'reservedAccounts': NotRequired[bool | None],
    'directDebit': NotRequired[bool | None],
    'verification': NotRequired[bool | None],
    'settings': NotRequired[bool | None],
})
MerchantSettingsChangeRequestReserve = TypedDict('MerchantSettingsChangeRequestReserve', {
    'percent': str,
    'days': int,
})
MerchantSettingsChangeRequest = TypedDict('MerchantSettingsChangeRequest', {
    'webhookUrl': NotRequired[str | None],
    'webhookUrls': NotRequired[MerchantSettingsChangeRequestWebhookUrls | None],
    'otpEnabled': NotRequired[bool | None],
    'ipWhitelist': NotRequired[Sequence[str] | None],
    'feeBearer': NotRequired[str | None],
    'underpayment': NotRequired[str | None],
    'settlement': NotRequired[str | None],
    'settlementTime': NotRequired[str | None],
    'settlementDestination': NotRequired[str | None],
    'settlementAccount': NotRequired[MerchantSettingsChangeRequestSettlementAccount | None],
    'lowBalanceThreshold': NotRequired[Decimal | float | str | None],
    'permissions': NotRequired[MerchantSettingsChangeRequestPermissions | None],
    'inlineOrigins': NotRequired[Sequence[str] | None],
    'compat': NotRequired[Sequence[str] | None],
    'brandColour': NotRequired[str | None],
    'supportContact': NotRequired[str | None],
    'logo': NotRequired[str | None],
    'paymentMethods': NotRequired[Sequence[str] | None],
    'accountDurationSeconds': NotRequired[int | None],
    'reserve': NotRequired[MerchantSettingsChangeRequestReserve | None],
})
MerchantSettingsChangeResponseWebhookUrls = TypedDict('MerchantSettingsChangeResponseWebhookUrls', {
    'collection': str | None,
    'disbursement': str | None,
    'refund': str | None,
    'settlement': str | None,
    'mandate': str | None,
    'wallet': str | None,
})
MerchantSettingsChangeResponseSettlementAccount = TypedDict('MerchantSettingsChangeResponseSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': str,
})
MerchantSettingsChangeResponsePermissions = TypedDict('MerchantSettingsChangeResponsePermissions', {
    'transfers': bool,
    'subAccounts': bool,
    'wallets': bool,
    'bills': bool,
    'paycode': bool,
    'refunds': bool,
    'cards': bool,
    'checkoutCards': bool,
    'recurring': bool,
    'reservedAccounts': bool,
    'directDebit': bool,
    'verification': bool,
    'settings': bool,
})
MerchantSettingsChangeResponseReserve = TypedDict('MerchantSettingsChangeResponseReserve', {
    'percent': str,
    'days': int,
})
MerchantSettingsChangeResponse = TypedDict('MerchantSettingsChangeResponse', {
    'webhookUrl': str | None,
    'webhookUrls': MerchantSettingsChangeResponseWebhookUrls,
    'otpEnabled': bool,
    'ipWhitelist': list[str],
    'feeBearer': str,
    'underpayment': str,
    'settlement': str,
    'settlementTime': str,
    'settlementDestination': str,
    'settlementAccount': MerchantSettingsChangeResponseSettlementAccount | None,
    'lowBalanceThreshold': Decimal | int | None,
    'permissions': MerchantSettingsChangeResponsePermissions,
    'inlineOrigins': list[str],
    'compat': list[str],
    'brandColour': str | None,
    'supportContact': str | None,
    'logo': str | None,
    'paymentMethods': list[str],
    'accountDurationSeconds': int,
    'reserve': MerchantSettingsChangeResponseReserve | None,
})
WebhookEndpointsListRequest = TypedDict('WebhookEndpointsListRequest', {

})
WebhookEndpointsListResponseFailures = TypedDict('WebhookEndpointsListResponseFailures', {
    'eventId': str,
    'at': str,
    'status': int | None,
    'error': str | None,
    'milliseconds': int,
})
WebhookEndpointsListResponse = TypedDict('WebhookEndpointsListResponse', {
    'id': str,
    'url': str,
    'description': str,
    'eventTypes': list[str] | None,
    'isPaused': bool,
    'pausedOn': str | None,
    'createdOn': str,
    'oldSecretValidUntil': str | None,
    'lastDeliveredOn': str | None,
    'waiting': int,
    'oldestWaitingOn': str | None,
    'attemptCount': int,
    'deliveredCount': int,
    'medianMilliseconds': int | None,
    'failures': list[WebhookEndpointsListResponseFailures],
})
WebhookEndpointsCreateRequest = TypedDict('WebhookEndpointsCreateRequest', {
    'url': str,
    'description': NotRequired[str | None],
    'eventTypes': NotRequired[Sequence[str] | None],
})
WebhookEndpointsCreateResponseEndpointFailures = TypedDict('WebhookEndpointsCreateResponseEndpointFailures', {
    'eventId': str,
    'at': str,
    'status': int | None,
    'error': str | None,
    'milliseconds': int,
})
WebhookEndpointsCreateResponseEndpoint = TypedDict('WebhookEndpointsCreateResponseEndpoint', {
    'id': str,
    'url': str,
    'description': str,
    'eventTypes': list[str] | None,
    'isPaused': bool,
    'pausedOn': str | None,
    'createdOn': str,
    'oldSecretValidUntil': str | None,
    'lastDeliveredOn': str | None,
    'waiting': int,
    'oldestWaitingOn': str | None,
    'attemptCount': int,
    'deliveredCount': int,
    'medianMilliseconds': int | None,
    'failures': list[WebhookEndpointsCreateResponseEndpointFailures],
})
WebhookEndpointsCreateResponse = TypedDict('WebhookEndpointsCreateResponse', {
    'secretKey': str,
    'endpoint': WebhookEndpointsCreateResponseEndpoint,
})
WebhookEndpointsChangeRequest = TypedDict('WebhookEndpointsChangeRequest', {
    'id': str,
    'url': NotRequired[str],
    'description': NotRequired[str],
    'eventTypes': NotRequired[Sequence[str] | None],
    'isPaused': NotRequired[bool],
})
WebhookEndpointsChangeResponseFailures = TypedDict('WebhookEndpointsChangeResponseFailures', {
    'eventId': str,
    'at': str,
    'status': int | None,
    'error': str | None,
    'milliseconds': int,
})
WebhookEndpointsChangeResponse = TypedDict('WebhookEndpointsChangeResponse', {
    'id': str,
    'url': str,
    'description': str,
    'eventTypes': list[str] | None,
    'isPaused': bool,
    'pausedOn': str | None,
    'createdOn': str,
    'oldSecretValidUntil': str | None,
    'lastDeliveredOn': str | None,
    'waiting': int,
    'oldestWaitingOn': str | None,
    'attemptCount': int,
    'deliveredCount': int,
    'medianMilliseconds': int | None,
    'failures': list[WebhookEndpointsChangeResponseFailures],
})
WebhookEndpointsRotateSecretRequest = TypedDict('WebhookEndpointsRotateSecretRequest', {
    'id': str,
    'overlapHours': int,
})
WebhookEndpointsRotateSecretResponse = TypedDict('WebhookEndpointsRotateSecretResponse', {
    'secretKey': str,
    'oldValidUntil': str,
})
WebhookEndpointsRemoveRequest = TypedDict('WebhookEndpointsRemoveRequest', {
    'id': str,
})
EventLogListRequest = TypedDict('EventLogListRequest', {
    'before': NotRequired[str],
    'size': NotRequired[int],
    'eventType': NotRequired[str],
    'reference': NotRequired[str],
    'status': NotRequired[str],
    'endpointId': NotRequired[str],
})
EventLogListResponseContentEndpoints = TypedDict('EventLogListResponseContentEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
EventLogListResponseContentAttempts = TypedDict('EventLogListResponseContentAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
EventLogListResponseContent = TypedDict('EventLogListResponseContent', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[EventLogListResponseContentEndpoints],
    'body': str,
    'attempts': list[EventLogListResponseContentAttempts],
})
EventLogListResponse = TypedDict('EventLogListResponse', {
    'content': list[EventLogListResponseContent],
    'next': str | None,
})
EventLogGetRequest = TypedDict('EventLogGetRequest', {
    'id': str,
})
EventLogGetResponseEndpoints = TypedDict('EventLogGetResponseEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
EventLogGetResponseAttempts = TypedDict('EventLogGetResponseAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
EventLogGetResponse = TypedDict('EventLogGetResponse', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[EventLogGetResponseEndpoints],
    'body': str,
    'attempts': list[EventLogGetResponseAttempts],
})
EventLogResendRequest = TypedDict('EventLogResendRequest', {
    'id': str,
})
EventLogResendResponseEndpoints = TypedDict('EventLogResendResponseEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
EventLogResendResponseAttempts = TypedDict('EventLogResendResponseAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
EventLogResendResponse = TypedDict('EventLogResendResponse', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[EventLogResendResponseEndpoints],
    'body': str,
    'attempts': list[EventLogResendResponseAttempts],
})
EventLogResendToRequest = TypedDict('EventLogResendToRequest', {
    'id': str,
    'endpointId': str,
})
EventLogResendToResponseEndpoints = TypedDict('EventLogResendToResponseEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
EventLogResendToResponseAttempts = TypedDict('EventLogResendToResponseAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
EventLogResendToResponse = TypedDict('EventLogResendToResponse', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[EventLogResendToResponseEndpoints],
    'body': str,
    'attempts': list[EventLogResendToResponseAttempts],
})
EventLogResendSinceRequest = TypedDict('EventLogResendSinceRequest', {
    'since': Decimal | float | str,
    'status': NotRequired[str | None],
    'endpointId': NotRequired[str | None],
})
EventLogResendSinceResponse = TypedDict('EventLogResendSinceResponse', {
    'count': int,
})
EventLogSendTestRequest = TypedDict('EventLogSendTestRequest', {
    'kind': NotRequired[str | None],
    'endpointId': NotRequired[str | None],
})
EventLogSendTestResponseEndpoints = TypedDict('EventLogSendTestResponseEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
EventLogSendTestResponseAttempts = TypedDict('EventLogSendTestResponseAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
EventLogSendTestResponse = TypedDict('EventLogSendTestResponse', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[EventLogSendTestResponseEndpoints],
    'body': str,
    'attempts': list[EventLogSendTestResponseAttempts],
})
RequestLogListRequest = TypedDict('RequestLogListRequest', {
    'before': NotRequired[str],
    'size': NotRequired[int],
    'outcome': NotRequired[str],
    'route': NotRequired[str],
    'reference': NotRequired[str],
})
RequestLogListResponseContent = TypedDict('RequestLogListResponseContent', {
    'id': str,
    'at': str,
    'outcome': str,
    'status': int,
    'method': str,
    'route': str,
    'refusal': str | None,
    'reference': str | None,
    'milliseconds': Decimal | int,
    'requestId': str,
    'address': str,
    'leftOut': int,
    'url': str | None,
    'requestBody': str | None,
    'answerBody': str | None,
})
RequestLogListResponse = TypedDict('RequestLogListResponse', {
    'content': list[RequestLogListResponseContent],
    'next': str | None,
})
RequestLogGetRequest = TypedDict('RequestLogGetRequest', {
    'id': str,
})
RequestLogGetResponse = TypedDict('RequestLogGetResponse', {
    'id': str,
    'at': str,
    'outcome': str,
    'status': int,
    'method': str,
    'route': str,
    'refusal': str | None,
    'reference': str | None,
    'milliseconds': Decimal | int,
    'requestId': str,
    'address': str,
    'leftOut': int,
    'url': str | None,
    'requestBody': str | None,
    'answerBody': str | None,
})
SandboxPayIntoAccountRequest = TypedDict('SandboxPayIntoAccountRequest', {
    'bankCode': str,
    'accountNumber': str,
    'amount': Decimal | float | str,
    'senderName': NotRequired[str | None],
    'senderAccountNumber': NotRequired[str | None],
    'senderBankCode': NotRequired[str | None],
    'senderBvn': NotRequired[str | None],
    'narration': NotRequired[str | None],
})
SandboxPayIntoAccountResponse = TypedDict('SandboxPayIntoAccountResponse', {
    'sessionId': str,
    'status': str,
    'reason': str | None,
})
SandboxEnquireNameRequest = TypedDict('SandboxEnquireNameRequest', {
    'bankCode': str,
    'accountNumber': str,
})
SandboxEnquireNameResponse = TypedDict('SandboxEnquireNameResponse', {
    'bankCode': str,
    'bankName': str,
    'accountNumber': str,
    'accountName': str,
})
SandboxFundWalletRequest = TypedDict('SandboxFundWalletRequest', {
    'accountNumber': NotRequired[str | None],
    'amount': Decimal | float | str,
})
SandboxFundWalletResponse = TypedDict('SandboxFundWalletResponse', {
    'accountNumber': str,
    'availableBalance': Decimal | int,
    'ledgerBalance': Decimal | int,
})
SandboxAuthorizeMandateRequest = TypedDict('SandboxAuthorizeMandateRequest', {
    'mandateCode': str,
})
SandboxAuthorizeMandateResponse = TypedDict('SandboxAuthorizeMandateResponse', {
    'mandateCode': str,
    'externalMandateReference': str,
    'mandateReference': str,
    'startDate': str,
    'endDate': str,
    'mandateStatus': str,
    'mandateAmount': Decimal | int,
    'contractCode': str,
    'autoRenew': bool,
    'customerPhoneNumber': str,
    'customerEmailAddress': str,
    'customerAddress': str,
    'customerName': str,
    'customerAccountName': str,
    'customerAccountNumber': str,
    'customerAccountBankCode': str,
    'mandateDescription': str,
    'debitAmount': Decimal | int | None,
    'authorizationMessage': str | None,
    'authorizationLink': str | None,
    'schemeCode': str,
    'responseMessage': str | None,
})
SandboxRedeemPaycodeRequest = TypedDict('SandboxRedeemPaycodeRequest', {
    'paycodeReference': str,
})
SandboxRedeemPaycodeResponse = TypedDict('SandboxRedeemPaycodeResponse', {
    'paycode': str,
    'transactionReference': str,
    'paycodeReference': str,
    'beneficiaryName': str,
    'amount': Decimal | int,
    'fee': Decimal | int,
    'transactionStatus': str,
    'expiryDate': str,
    'createdOn': str,
    'createdBy': str,
    'modifiedBy': str | None,
    'cancelDate': str | None,
})
SandboxCollectCashRequest = TypedDict('SandboxCollectCashRequest', {
    'amount': Decimal | float | str,
    'paymentReference': NotRequired[str | None],
    'customerName': NotRequired[str | None],
    'customerEmail': NotRequired[str | None],
    'paymentDescription': NotRequired[str | None],
})
SandboxCollectCashResponseProduct = TypedDict('SandboxCollectCashResponseProduct', {
    'type': str,
    'reference': str,
})
SandboxCollectCashResponseCardDetails = TypedDict('SandboxCollectCashResponseCardDetails', {
    'cardType': str,
    'last4': str,
    'expMonth': str,
    'expYear': str,
    'bin': str,
    'bankCode': str | None,
    'bankName': str | None,
    'reusable': bool,
    'countryCode': str | None,
    'cardToken': str | None,
    'supportsTokenization': bool,
    'maskedPan': str,
})
SandboxCollectCashResponseAccountDetails = TypedDict('SandboxCollectCashResponseAccountDetails', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SandboxCollectCashResponseAccountPayments = TypedDict('SandboxCollectCashResponseAccountPayments', {
    'accountName': str | None,
    'accountNumber': str | None,
    'bankCode': str | None,
    'amountPaid': str,
})
SandboxCollectCashResponseCustomer = TypedDict('SandboxCollectCashResponseCustomer', {
    'email': str,
    'name': str | None,
})
SandboxCollectCashResponse = TypedDict('SandboxCollectCashResponse', {
    'transactionReference': str,
    'paymentReference': str,
    'amountPaid': str,
    'totalPayable': str,
    'settlementAmount': str | None,
    'paidOn': str | None,
    'paymentStatus': str,
    'paymentDescription': str | None,
    'currency': str,
    'paymentMethod': str | None,
    'product': SandboxCollectCashResponseProduct,
    'cardDetails': SandboxCollectCashResponseCardDetails | None,
    'accountDetails': SandboxCollectCashResponseAccountDetails | None,
    'accountPayments': list[SandboxCollectCashResponseAccountPayments],
    'customer': SandboxCollectCashResponseCustomer,
    'metaData': dict[str, Any],
})
SandboxOpenDisputeRequest = TypedDict('SandboxOpenDisputeRequest', {
    'transactionReference': str,
    'disputeType': str,
    'disputeAmount': NotRequired[Decimal | float | str | None],
    'disputeReason': NotRequired[str | None],
})
SandboxOpenDisputeResponse = TypedDict('SandboxOpenDisputeResponse', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
})
SandboxDecideDisputeRequest = TypedDict('SandboxDecideDisputeRequest', {
    'disputeReference': str,
    'outcome': str,
})
SandboxDecideDisputeResponse = TypedDict('SandboxDecideDisputeResponse', {
    'disputeReference': str,
    'disputeType': str,
    'disputeStatus': str,
    'transactionReference': str,
    'disputeAmount': Decimal | int,
    'amountOwed': Decimal | int,
    'disputeReason': str,
    'currencyCode': str,
    'evidenceDueOn': str,
    'createdOn': str,
    'completedOn': str | None,
    'comment': str | None,
})
SandboxReadInboxRequest = TypedDict('SandboxReadInboxRequest', {
    'to': NotRequired[str],
    'limit': NotRequired[int],
})
SandboxReadInboxResponse = TypedDict('SandboxReadInboxResponse', {
    'id': str,
    'to': str,
    'subject': str,
    'text': str,
    'sentAt': str,
})
SandboxGetSettingsRequest = TypedDict('SandboxGetSettingsRequest', {

})
SandboxGetSettingsResponseWebhookUrls = TypedDict('SandboxGetSettingsResponseWebhookUrls', {
    'collection': str | None,
    'disbursement': str | None,
    'refund': str | None,
    'settlement': str | None,
    'mandate': str | None,
    'wallet': str | None,
})
SandboxGetSettingsResponseSettlementAccount = TypedDict('SandboxGetSettingsResponseSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': str,
})
SandboxGetSettingsResponsePermissions = TypedDict('SandboxGetSettingsResponsePermissions', {
    'transfers': bool,
    'subAccounts': bool,
    'wallets': bool,
    'bills': bool,
    'paycode': bool,
    'refunds': bool,
    'cards': bool,
    'checkoutCards': bool,
    'recurring': bool,
    'reservedAccounts': bool,
    'directDebit': bool,
    'verification': bool,
    'settings': bool,
})
SandboxGetSettingsResponse = TypedDict('SandboxGetSettingsResponse', {
    'webhookUrl': str | None,
    'webhookUrls': SandboxGetSettingsResponseWebhookUrls,
    'otpEnabled': bool,
    'ipWhitelist': list[str],
    'feeBearer': str,
    'underpayment': str,
    'settlement': str,
    'settlementTime': str,
    'settlementDestination': str,
    'settlementAccount': SandboxGetSettingsResponseSettlementAccount | None,
    'lowBalanceThreshold': Decimal | int | None,
    'mail': str,
    'permissions': SandboxGetSettingsResponsePermissions,
    'inlineOrigins': list[str],
})
SandboxChangeSettingsRequestWebhookUrls = TypedDict('SandboxChangeSettingsRequestWebhookUrls', {
    'collection': NotRequired[str | None],
    'disbursement': NotRequired[str | None],
    'refund': NotRequired[str | None],
    'settlement': NotRequired[str | None],
    'mandate': NotRequired[str | None],
    'wallet': NotRequired[str | None],
})
SandboxChangeSettingsRequestSettlementAccount = TypedDict('SandboxChangeSettingsRequestSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': NotRequired[str | None],
})
SandboxChangeSettingsRequestPermissions = TypedDict('SandboxChangeSettingsRequestPermissions', {
    'transfers': NotRequired[bool | None],
    'subAccounts': NotRequired[bool | None],
    'wallets': NotRequired[bool | None],
    'bills': NotRequired[bool | None],
    'paycode': NotRequired[bool | None],
    'refunds': NotRequired[bool | None],
    'cards': NotRequired[bool | None],
    'checkoutCards': NotRequired[bool | None],
    'recurring': NotRequired[bool | None],
    'reservedAccounts': NotRequired[bool | None],
    'directDebit': NotRequired[bool | None],
    'verification': NotRequired[bool | None],
    'settings': NotRequired[bool | None],
})
SandboxChangeSettingsRequest = TypedDict('SandboxChangeSettingsRequest', {
    'webhookUrl': NotRequired[str | None],
    'webhookUrls': NotRequired[SandboxChangeSettingsRequestWebhookUrls | None],
    'otpEnabled': NotRequired[bool | None],
    'ipWhitelist': NotRequired[Sequence[str] | None],
    'feeBearer': NotRequired[str | None],
    'underpayment': NotRequired[str | None],
    'settlement': NotRequired[str | None],
    'settlementTime': NotRequired[str | None],
    'settlementDestination': NotRequired[str | None],
    'settlementAccount': NotRequired[SandboxChangeSettingsRequestSettlementAccount | None],
    'lowBalanceThreshold': NotRequired[Decimal | float | str | None],
    'mail': NotRequired[str | None],
    'permissions': NotRequired[SandboxChangeSettingsRequestPermissions | None],
    'inlineOrigins': NotRequired[Sequence[str] | None],
})
SandboxChangeSettingsResponseWebhookUrls = TypedDict('SandboxChangeSettingsResponseWebhookUrls', {
    'collection': str | None,
    'disbursement': str | None,
    'refund': str | None,
    'settlement': str | None,
    'mandate': str | None,
    'wallet': str | None,
})
SandboxChangeSettingsResponseSettlementAccount = TypedDict('SandboxChangeSettingsResponseSettlementAccount', {
    'bankCode': str,
    'accountNumber': str,
    'accountName': str,
})
SandboxChangeSettingsResponsePermissions = TypedDict('SandboxChangeSettingsResponsePermissions', {
    'transfers': bool,
    'subAccounts': bool,
    'wallets': bool,
    'bills': bool,
    'paycode': bool,
    'refunds': bool,
    'cards': bool,
    'checkoutCards': bool,
    'recurring': bool,
    'reservedAccounts': bool,
    'directDebit': bool,
    'verification': bool,
    'settings': bool,
})
SandboxChangeSettingsResponse = TypedDict('SandboxChangeSettingsResponse', {
    'webhookUrl': str | None,
    'webhookUrls': SandboxChangeSettingsResponseWebhookUrls,
    'otpEnabled': bool,
    'ipWhitelist': list[str],
    'feeBearer': str,
    'underpayment': str,
    'settlement': str,
    'settlementTime': str,
    'settlementDestination': str,
    'settlementAccount': SandboxChangeSettingsResponseSettlementAccount | None,
    'lowBalanceThreshold': Decimal | int | None,
    'mail': str,
    'permissions': SandboxChangeSettingsResponsePermissions,
    'inlineOrigins': list[str],
})
SandboxListEventsRequest = TypedDict('SandboxListEventsRequest', {
    'page': NotRequired[int],
    'size': NotRequired[int],
    'eventType': NotRequired[str],
    'reference': NotRequired[str],
})
SandboxListEventsResponseContentEndpoints = TypedDict('SandboxListEventsResponseContentEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
SandboxListEventsResponseContentAttempts = TypedDict('SandboxListEventsResponseContentAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
SandboxListEventsResponseContent = TypedDict('SandboxListEventsResponseContent', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[SandboxListEventsResponseContentEndpoints],
    'body': str,
    'attempts': list[SandboxListEventsResponseContentAttempts],
})
SandboxListEventsResponsePageableSort = TypedDict('SandboxListEventsResponsePageableSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SandboxListEventsResponsePageable = TypedDict('SandboxListEventsResponsePageable', {
    'sort': SandboxListEventsResponsePageableSort,
    'pageSize': int,
    'pageNumber': int,
    'offset': int,
    'paged': bool,
    'unpaged': bool,
})
SandboxListEventsResponseSort = TypedDict('SandboxListEventsResponseSort', {
    'sorted': bool,
    'unsorted': bool,
    'empty': bool,
})
SandboxListEventsResponse = TypedDict('SandboxListEventsResponse', {
    'content': list[SandboxListEventsResponseContent],
    'pageable': SandboxListEventsResponsePageable,
    'last': bool,
    'first': bool,
    'totalElements': int,
    'totalPages': int,
    'sort': SandboxListEventsResponseSort,
    'numberOfElements': int,
    'size': int,
    'number': int,
    'empty': bool,
})
SandboxListenToEventsRequest = TypedDict('SandboxListenToEventsRequest', {
    'after': NotRequired[str],
})
SandboxListenToEventsResponseEvents = TypedDict('SandboxListenToEventsResponseEvents', {
    'id': str,
    'eventType': str,
    'reference': str,
    'createdOn': str,
    'body': str,
    'headers': dict[str, Any],
})
SandboxListenToEventsResponse = TypedDict('SandboxListenToEventsResponse', {
    'cursor': str,
    'events': list[SandboxListenToEventsResponseEvents],
})
SandboxResendEventRequest = TypedDict('SandboxResendEventRequest', {
    'id': str,
})
SandboxResendEventResponseEndpoints = TypedDict('SandboxResendEventResponseEndpoints', {
    'endpointId': str,
    'url': str,
    'status': str,
    'nextAttemptOn': str | None,
})
SandboxResendEventResponseAttempts = TypedDict('SandboxResendEventResponseAttempts', {
    'at': str,
    'url': str,
    'status': int | None,
    'bodyExcerpt': str | None,
    'milliseconds': int,
    'error': str | None,
    'resent': bool,
    'endpointId': str | None,
})
SandboxResendEventResponse = TypedDict('SandboxResendEventResponse', {
    'id': str,
    'eventType': str,
    'reference': str,
    'status': str,
    'url': str | None,
    'createdOn': str,
    'nextAttemptOn': str | None,
    'endpoints': list[SandboxResendEventResponseEndpoints],
    'body': str,
    'attempts': list[SandboxResendEventResponseAttempts],
})
SandboxResendEventsRequest = TypedDict('SandboxResendEventsRequest', {
    'since': Decimal | float | str,
})
SandboxResendEventsResponse = TypedDict('SandboxResendEventsResponse', {
    'count': int,
})
SandboxReadClockRequest = TypedDict('SandboxReadClockRequest', {

})
SandboxReadClockResponse = TypedDict('SandboxReadClockResponse', {
    'now': str,
    'today': str,
    'epochMilliseconds': int,
    'offsetSeconds': int,
})
SandboxAdvanceClockRequest = TypedDict('SandboxAdvanceClockRequest', {
    'seconds': int,
})
SandboxAdvanceClockResponse = TypedDict('SandboxAdvanceClockResponse', {
    'now': str,
    'today': str,
    'epochMilliseconds': int,
    'offsetSeconds': int,
})
SandboxGetReportRequest = TypedDict('SandboxGetReportRequest', {

})
SandboxGetReportResponseReportResults = TypedDict('SandboxGetReportResponseReportResults', {
    'scenario': str,
    'isPassed': bool,
    'problem': str | None,
    'guide': str,
})
SandboxGetReportResponseReport = TypedDict('SandboxGetReportResponseReport', {
    'score': int,
    'seed': int,
    'results': list[SandboxGetReportResponseReportResults],
})
SandboxGetReportResponse = TypedDict('SandboxGetReportResponse', {
    'checkedAt': str | None,
    'report': SandboxGetReportResponseReport | None,
})
SandboxSaveReportRequestResults = TypedDict('SandboxSaveReportRequestResults', {
    'scenario': str,
    'isPassed': bool,
    'problem': str | None,
    'guide': str,
})
SandboxSaveReportRequest = TypedDict('SandboxSaveReportRequest', {
    'score': int,
    'seed': int,
    'results': Sequence[SandboxSaveReportRequestResults],
})
SandboxSaveReportResponse = TypedDict('SandboxSaveReportResponse', {
    'checkedAt': str,
})

class Authentication:
    login: Call[AuthenticationLoginRequest, AuthenticationLoginResponse]
    """Exchange API key and secret key for an access token."""

class Transactions:
    init: Call[TransactionsInitRequest, TransactionsInitResponse]
    """Initialize a transaction."""
    get: Call[TransactionsGetRequest, TransactionsGetResponse]
    """Get the status of a transaction."""
    query: Call[TransactionsQueryRequest, TransactionsQueryResponse]
    """Get the status of a transaction by either reference."""
    search: PageCall[TransactionsSearchRequest, TransactionsSearchResponseContent, TransactionsSearchResponse]
    """Search transactions, newest first."""
    cancel: Call[TransactionsCancelRequest, TransactionsCancelResponse]
    """Cancel an unpaid transaction."""

class BankTransfer:
    init: Call[BankTransferInitRequest, BankTransferInitResponse]
    """Get the virtual account to pay a transaction into."""
    init_ussd: Call[BankTransferInitUssdRequest, BankTransferInitUssdResponse]
    """Get the USSD code that pays a transaction."""

class Refunds:
    initiate: Call[RefundsInitiateRequest, RefundsInitiateResponse]
    """Refund a payment, in full or in part."""
    get: Call[RefundsGetRequest, RefundsGetResponse]
    """Get the status of a refund."""
    list: PageCall[RefundsListRequest, RefundsListResponseContent, RefundsListResponse]
    """List refunds, newest first."""

class Disputes:
    list: PageCall[DisputesListRequest, DisputesListResponseContent, DisputesListResponse]
    """List disputes, newest first."""
    get: Call[DisputesGetRequest, DisputesGetResponse]
    """Get a dispute with its evidence."""
    submit_evidence: Call[DisputesSubmitEvidenceRequest, DisputesSubmitEvidenceResponse]
    """Challenge a dispute with evidence."""
    accept: Call[DisputesAcceptRequest, DisputesAcceptResponse]
    """Accept a dispute."""
    get_file: Call[DisputesGetFileRequest, DisputesGetFileResponse]
    """Get an evidence file."""

class Transfers:
    validate_account: Call[TransfersValidateAccountRequest, TransfersValidateAccountResponse]
    """Look up the holder of a bank account."""
    initiate: Call[TransfersInitiateRequest, TransfersInitiateResponse]
    """Send money to a bank account."""
    authorize: Call[TransfersAuthorizeRequest, TransfersAuthorizeResponse]
    """Authorize a transfer with the code from the email."""
    resend_code: Call[TransfersResendCodeRequest, TransfersResendCodeResponse]
    """Resend the authorization code of a transfer."""
    get: Call[TransfersGetRequest, TransfersGetResponse]
    """Get the status of a transfer."""
    list: PageCall[TransfersListRequest, TransfersListResponseContent, TransfersListResponse]
    """List single transfers, newest first."""
    search: PageCall[TransfersSearchRequest, TransfersSearchResponseContent, TransfersSearchResponse]
    """Search transfers of a wallet, newest first."""
    initiate_batch: Call[TransfersInitiateBatchRequest, TransfersInitiateBatchResponse]
    """Send money to many bank accounts."""
    authorize_batch: Call[TransfersAuthorizeBatchRequest, TransfersAuthorizeBatchResponse]
    """Authorize a batch with the code from the email."""
    resend_batch_code: Call[TransfersResendBatchCodeRequest, TransfersResendBatchCodeResponse]
    """Resend the authorization code of a batch."""
    get_batch: Call[TransfersGetBatchRequest, TransfersGetBatchResponse]
    """Get the status of a batch."""
    list_batch: PageCall[TransfersListBatchRequest, TransfersListBatchResponseContent, TransfersListBatchResponse]
    """List the items of a batch."""
    list_batches: PageCall[TransfersListBatchesRequest, TransfersListBatchesResponseContent, TransfersListBatchesResponse]
    """List batches, newest first."""
    get_balance: Call[TransfersGetBalanceRequest, TransfersGetBalanceResponse]
    """Get a wallet’s balance."""

class Mobile:
    init: Call[MobileInitRequest, MobileInitResponse]
    """Open a payment from an app."""
    query: Call[MobileQueryRequest, MobileQueryResponse]
    """Get the status of an app’s payment."""
    transfer: Call[MobileTransferRequest, MobileTransferResponse]
    """Get the account to pay an app’s payment into."""
    ussd: Call[MobileUssdRequest, MobileUssdResponse]
    """Get the USSD code that pays an app’s payment."""
    init_card: Call[MobileInitCardRequest, MobileInitCardResponse]
    """Get the amount that a card pays."""
    card_requirements: Call[MobileCardRequirementsRequest, MobileCardRequirementsResponse]
    """Check whether a card needs a PIN."""
    charge: Call[MobileChargeRequest, MobileChargeResponse]
    """Pay an app’s payment by card."""
    otp: Call[MobileOtpRequest, MobileOtpResponse]
    """Confirm an app’s card payment with an OTP."""
    list_banks: Call[MobileListBanksRequest, list[MobileListBanksResponse]]
    """List the banks that support pay with bank."""
    other_method: Call[MobileOtherMethodRequest, MobileOtherMethodResponse]
    """Pay by phone number or with a bank login."""

class Checkout:
    get: Call[CheckoutGetRequest, CheckoutGetResponse]
    """Get a transaction’s checkout state."""
    transfer: Call[CheckoutTransferRequest, CheckoutTransferResponse]
    """Get the account to pay into by bank transfer."""
    ussd: Call[CheckoutUssdRequest, CheckoutUssdResponse]
    """Get the USSD code to dial."""
    card: Call[CheckoutCardRequest, CheckoutCardResponse]
    """Pay by card."""
    otp: Call[CheckoutOtpRequest, CheckoutOtpResponse]
    """Confirm a card payment with a one-time code."""
    mail_receipt: Call[CheckoutMailReceiptRequest, CheckoutMailReceiptResponse]
    """Email the receipt."""
    check_receipt: Call[CheckoutCheckReceiptRequest, CheckoutCheckReceiptResponse]
    """Get the current state of a receipt’s payment."""
    inline: Call[CheckoutInlineRequest, CheckoutInlineResponse]
    """Open a transaction from a merchant’s page."""

class Cards:
    charge: Call[CardsChargeRequest, CardsChargeResponse]
    """Charge a card."""
    authorize_otp: Call[CardsAuthorizeOtpRequest, CardsAuthorizeOtpResponse]
    """Authorize a card charge with an OTP."""
    authorize_secure3d: Call[CardsAuthorizeSecure3dRequest, CardsAuthorizeSecure3dResponse]
    """Get the result of 3-D Secure."""

class RecurringPayment:
    charge: Call[RecurringPaymentChargeRequest, RecurringPaymentChargeResponse]
    """Charge a saved card."""

class Wallets:
    create: Call[WalletsCreateRequest, WalletsCreateResponse]
    """Create a wallet for a customer."""
    list: PageCall[WalletsListRequest, WalletsListResponseContent, WalletsListResponse]
    """List customer wallets, newest first."""
    get_balance: Call[WalletsGetBalanceRequest, WalletsGetBalanceResponse]
    """Get the balance of a wallet."""
    list_transactions: PageCall[WalletsListTransactionsRequest, WalletsListTransactionsResponseContent, WalletsListTransactionsResponse]
    """Get a wallet’s statement, newest first."""

class Verification:
    match_bvn_details: Call[VerificationMatchBvnDetailsRequest, VerificationMatchBvnDetailsResponse]
    """Match a customer’s details with a BVN."""
    match_bvn_account: Call[VerificationMatchBvnAccountRequest, VerificationMatchBvnAccountResponse]
    """Match a bank account with a BVN."""
    get_nin_details: Call[VerificationGetNinDetailsRequest, VerificationGetNinDetailsResponse]
    """Look up a NIN."""

class BillsPayment:
    list_categories: PageCall[BillsPaymentListCategoriesRequest, BillsPaymentListCategoriesResponseContent, BillsPaymentListCategoriesResponse]
    """List bill categories."""
    list_billers: PageCall[BillsPaymentListBillersRequest, BillsPaymentListBillersResponseContent, BillsPaymentListBillersResponse]
    """List billers, optionally of one category."""
    list_products: PageCall[BillsPaymentListProductsRequest, BillsPaymentListProductsResponseContent, BillsPaymentListProductsResponse]
    """List products, optionally of one biller."""
    validate_customer: Call[BillsPaymentValidateCustomerRequest, BillsPaymentValidateCustomerResponse]
    """Validate a customer before payment."""
    vend: Call[BillsPaymentVendRequest, BillsPaymentVendResponse]
    """Pay a bill from the wallet."""
    requery: Call[BillsPaymentRequeryRequest, BillsPaymentRequeryResponse]
    """Get the status of a bill payment."""

class SubAccounts:
    create: Call[SubAccountsCreateRequest, list[SubAccountsCreateResponse]]
    """Create sub accounts."""
    list: Call[SubAccountsListRequest, list[SubAccountsListResponse]]
    """List all sub accounts, oldest first."""
    change: Call[SubAccountsChangeRequest, SubAccountsChangeResponse]
    """Update a sub account."""
    delete: Call[SubAccountsDeleteRequest, Any]
    """Delete a sub account."""
    delete_by_query: Call[SubAccountsDeleteByQueryRequest, Any]
    """Delete a sub account by query parameter."""

class Settlements:
    list: PageCall[SettlementsListRequest, SettlementsListResponseContent, SettlementsListResponse]
    """List settlements, newest first."""
    find_transactions: PageCall[SettlementsFindTransactionsRequest, SettlementsFindTransactionsResponseContent, SettlementsFindTransactionsResponse]
    """List the transactions of a settlement, newest first."""
    get_detail: Call[SettlementsGetDetailRequest, SettlementsGetDetailResponse]
    """Get the settlement of a transaction."""

class DirectDebit:
    create_mandate: Call[DirectDebitCreateMandateRequest, DirectDebitCreateMandateResponse]
    """Create a mandate."""
    get_mandates: Call[DirectDebitGetMandatesRequest, list[DirectDebitGetMandatesResponse]]
    """Get mandates by reference."""
    list_mandates: PageCall[DirectDebitListMandatesRequest, DirectDebitListMandatesResponseContent, DirectDebitListMandatesResponse]
    """List mandates by creation date, newest first."""
    debit: Call[DirectDebitDebitRequest, DirectDebitDebitResponse]
    """Debit a mandate."""
    get_debit_status: Call[DirectDebitGetDebitStatusRequest, DirectDebitGetDebitStatusResponse]
    """Get the status of a debit."""
    cancel_mandate: Call[DirectDebitCancelMandateRequest, DirectDebitCancelMandateResponse]
    """Cancel a mandate."""

class Paycodes:
    create: Call[PaycodesCreateRequest, PaycodesCreateResponse]
    """Create a paycode for a cash pick-up."""
    get: Call[PaycodesGetRequest, PaycodesGetResponse]
    """Get a paycode, masked."""
    reveal: Call[PaycodesRevealRequest, PaycodesRevealResponse]
    """Get a paycode, unmasked."""
    list: PageCall[PaycodesListRequest, PaycodesListResponseContent, PaycodesListResponse]
    """List paycodes, newest first."""
    cancel: Call[PaycodesCancelRequest, PaycodesCancelResponse]
    """Cancel a paycode."""

class ReservedAccounts:
    reserve: Call[ReservedAccountsReserveRequest, ReservedAccountsReserveResponse]
    """Reserve an account for a customer."""
    reserve_for_invoices: Call[ReservedAccountsReserveForInvoicesRequest, ReservedAccountsReserveForInvoicesResponse]
    """Reserve an account for invoices."""
    reserve_with_limit: Call[ReservedAccountsReserveWithLimitRequest, ReservedAccountsReserveWithLimitResponse]
    """Reserve an account with a limit profile."""
    get: Call[ReservedAccountsGetRequest, ReservedAccountsGetResponse]
    """Get a reserved account."""
    list_transactions: PageCall[ReservedAccountsListTransactionsRequest, ReservedAccountsListTransactionsResponseContent, ReservedAccountsListTransactionsResponse]
    """List a reserved account’s transactions, newest first."""
    add_linked_accounts: Call[ReservedAccountsAddLinkedAccountsRequest, ReservedAccountsAddLinkedAccountsResponse]
    """Add account numbers at more banks."""
    update_customer_bvn: Call[ReservedAccountsUpdateCustomerBvnRequest, ReservedAccountsUpdateCustomerBvnResponse]
    """Update the customer’s BVN."""
    update_kyc_info: Call[ReservedAccountsUpdateKycInfoRequest, ReservedAccountsUpdateKycInfoResponse]
    """Update the customer’s BVN or NIN."""
    update_payment_source_filter: Call[ReservedAccountsUpdatePaymentSourceFilterRequest, ReservedAccountsUpdatePaymentSourceFilterResponse]
    """Set the allowed payment sources."""
    update_income_split_config: Call[ReservedAccountsUpdateIncomeSplitConfigRequest, ReservedAccountsUpdateIncomeSplitConfigResponse]
    """Split an account’s payments among sub accounts."""
    set_limit_profile: Call[ReservedAccountsSetLimitProfileRequest, ReservedAccountsSetLimitProfileResponse]
    """Set the limit profile of a reserved account."""
    deallocate: Call[ReservedAccountsDeallocateRequest, ReservedAccountsDeallocateResponse]
    """Deallocate a reserved account."""

class LimitProfiles:
    create: Call[LimitProfilesCreateRequest, LimitProfilesCreateResponse]
    """Create a limit profile."""
    list: PageCall[LimitProfilesListRequest, LimitProfilesListResponseContent, LimitProfilesListResponse]
    """List all limit profiles, newest first."""
    update: Call[LimitProfilesUpdateRequest, LimitProfilesUpdateResponse]
    """Update a limit profile."""

class Invoices:
    create: Call[InvoicesCreateRequest, InvoicesCreateResponse]
    """Create an invoice."""
    get: Call[InvoicesGetRequest, InvoicesGetResponse]
    """Get an invoice."""
    list: PageCall[InvoicesListRequest, InvoicesListResponseContent, InvoicesListResponse]
    """List all invoices, newest first."""
    cancel: Call[InvoicesCancelRequest, InvoicesCancelResponse]
    """Cancel an unpaid invoice."""
    mail: Call[InvoicesMailRequest, InvoicesMailResponse]
    """Email an invoice to the customer."""

class PaymentLinks:
    create: Call[PaymentLinksCreateRequest, PaymentLinksCreateResponse]
    """Create a payment link."""
    get: Call[PaymentLinksGetRequest, PaymentLinksGetResponse]
    """Get a payment link."""
    list: PageCall[PaymentLinksListRequest, PaymentLinksListResponseContent, PaymentLinksListResponse]
    """List all payment links, newest first."""
    disable: Call[PaymentLinksDisableRequest, PaymentLinksDisableResponse]
    """Disable a payment link."""
    mail: Call[PaymentLinksMailRequest, PaymentLinksMailResponse]
    """Email a payment link."""

class Customers:
    list: Call[CustomersListRequest, CustomersListResponse]
    """List customers, the latest first."""

class Banks:
    list: Call[BanksListRequest, list[BanksListResponse]]
    """List all banks."""
    list_for_ussd: Call[BanksListForUssdRequest, list[BanksListForUssdResponse]]
    """List banks that support USSD."""

class MerchantSettings:
    get: Call[MerchantSettingsGetRequest, MerchantSettingsGetResponse]
    """Get your account’s settings."""
    change: Call[MerchantSettingsChangeRequest, MerchantSettingsChangeResponse]
    """Update your account’s settings."""

class WebhookEndpoints:
    list: Call[WebhookEndpointsListRequest, list[WebhookEndpointsListResponse]]
    """List your additional webhook endpoints with their health, oldest first."""
    create: Call[WebhookEndpointsCreateRequest, WebhookEndpointsCreateResponse]
    """Add a webhook endpoint with its own secret key, which is shown only once."""
    change: Call[WebhookEndpointsChangeRequest, WebhookEndpointsChangeResponse]
    """Update, pause or resume an additional webhook endpoint."""
    rotate_secret: Call[WebhookEndpointsRotateSecretRequest, WebhookEndpointsRotateSecretResponse]
    """Replace an additional webhook endpoint’s secret key, shown only once."""
    remove: Call[WebhookEndpointsRemoveRequest, Any]
    """Remove an additional webhook endpoint."""

class EventLog:
    list: Call[EventLogListRequest, EventLogListResponse]
    """List your events with every attempt, newest first."""
    get: Call[EventLogGetRequest, EventLogGetResponse]
    """Get one of your events with every attempt."""
    resend: Call[EventLogResendRequest, EventLogResendResponse]
    """Resend an event."""
    resend_to: Call[EventLogResendToRequest, EventLogResendToResponse]
    """Resend an event to an additional webhook endpoint."""
    resend_since: Call[EventLogResendSinceRequest, EventLogResendSinceResponse]
    """Resend all events since a given time."""
    send_test: Call[EventLogSendTestRequest, EventLogSendTestResponse]
    """Send a test event to a webhook URL."""

class RequestLog:
    list: Call[RequestLogListRequest, RequestLogListResponse]
    """List your API requests and their responses, newest first."""
    get: Call[RequestLogGetRequest, RequestLogGetResponse]
    """Get one of your logged requests."""

class Sandbox:
    pay_into_account: Call[SandboxPayIntoAccountRequest, SandboxPayIntoAccountResponse]
    """Pay into an account from the customer’s banking app."""
    enquire_name: Call[SandboxEnquireNameRequest, SandboxEnquireNameResponse]
    """Look up an account holder in the customer’s banking app."""
    fund_wallet: Call[SandboxFundWalletRequest, SandboxFundWalletResponse]
    """Fund a wallet."""
    authorize_mandate: Call[SandboxAuthorizeMandateRequest, SandboxAuthorizeMandateResponse]
    """Authorize a mandate as the customer."""
    redeem_paycode: Call[SandboxRedeemPaycodeRequest, SandboxRedeemPaycodeResponse]
    """Redeem a paycode as an agent."""
    collect_cash: Call[SandboxCollectCashRequest, SandboxCollectCashResponse]
    """Complete a cash payment at an agent."""
    open_dispute: Call[SandboxOpenDisputeRequest, SandboxOpenDisputeResponse]
    """Open a dispute as the payer’s bank."""
    decide_dispute: Call[SandboxDecideDisputeRequest, SandboxDecideDisputeResponse]
    """Decide a dispute as the payer’s bank."""
    read_inbox: Call[SandboxReadInboxRequest, list[SandboxReadInboxResponse]]
    """List the sandbox’s emails, newest first."""
    get_settings: Call[SandboxGetSettingsRequest, SandboxGetSettingsResponse]
    """Get the merchant’s settings."""
    change_settings: Call[SandboxChangeSettingsRequest, SandboxChangeSettingsResponse]
    """Update the merchant’s settings."""
    list_events: PageCall[SandboxListEventsRequest, SandboxListEventsResponseContent, SandboxListEventsResponse]
    """List events with every attempt, newest first."""
    listen_to_events: Call[SandboxListenToEventsRequest, SandboxListenToEventsResponse]
    """Poll for new events, as a webhook endpoint would receive them."""
    resend_event: Call[SandboxResendEventRequest, SandboxResendEventResponse]
    """Resend an event."""
    resend_events: Call[SandboxResendEventsRequest, SandboxResendEventsResponse]
    """Resend all events since a given time."""
    read_clock: Call[SandboxReadClockRequest, SandboxReadClockResponse]
    """Get the sandbox’s clock."""
    advance_clock: Call[SandboxAdvanceClockRequest, SandboxAdvanceClockResponse]
    """Move the sandbox’s clock forward."""
    get_report: Call[SandboxGetReportRequest, SandboxGetReportResponse]
    """Get the report of the last check of your integration."""
    save_report: Call[SandboxSaveReportRequest, SandboxSaveReportResponse]
    """Store the report of a check of your integration."""

class Api:
    authentication: Authentication
    transactions: Transactions
    bank_transfer: BankTransfer
    refunds: Refunds
    disputes: Disputes
    transfers: Transfers
    mobile: Mobile
    checkout: Checkout
    cards: Cards
    recurring_payment: RecurringPayment
    wallets: Wallets
    verification: Verification
    bills_payment: BillsPayment
    sub_accounts: SubAccounts
    settlements: Settlements
    direct_debit: DirectDebit
    paycodes: Paycodes
    reserved_accounts: ReservedAccounts
    limit_profiles: LimitProfiles
    invoices: Invoices
    payment_links: PaymentLinks
    customers: Customers
    banks: Banks
    merchant_settings: MerchantSettings
    webhook_endpoints: WebhookEndpoints
    event_log: EventLog
    request_log: RequestLog
    sandbox: Sandbox
