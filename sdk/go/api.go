// Code generated from the contract by `npm run generate`. DO NOT EDIT.

package kobo

import (
	"context"
	"encoding/json"
)

// Api has every call of the gateway, by group.
type Api struct {
	Authentication   AuthenticationCalls
	Transactions     TransactionsCalls
	BankTransfer     BankTransferCalls
	Refunds          RefundsCalls
	Disputes         DisputesCalls
	Transfers        TransfersCalls
	Mobile           MobileCalls
	Checkout         CheckoutCalls
	Cards            CardsCalls
	RecurringPayment RecurringPaymentCalls
	Wallets          WalletsCalls
	Verification     VerificationCalls
	BillsPayment     BillsPaymentCalls
	SubAccounts      SubAccountsCalls
	Settlements      SettlementsCalls
	DirectDebit      DirectDebitCalls
	Paycodes         PaycodesCalls
	ReservedAccounts ReservedAccountsCalls
	LimitProfiles    LimitProfilesCalls
	Invoices         InvoicesCalls
	PaymentLinks     PaymentLinksCalls
	Customers        CustomersCalls
	Banks            BanksCalls
	MerchantSettings MerchantSettingsCalls
	WebhookEndpoints WebhookEndpointsCalls
	EventLog         EventLogCalls
	RequestLog       RequestLogCalls
	Sandbox          SandboxCalls
}

func apiOf(client *Client) Api {
	return Api{
		Authentication:   AuthenticationCalls{client},
		Transactions:     TransactionsCalls{client},
		BankTransfer:     BankTransferCalls{client},
		Refunds:          RefundsCalls{client},
		Disputes:         DisputesCalls{client},
		Transfers:        TransfersCalls{client},
		Mobile:           MobileCalls{client},
		Checkout:         CheckoutCalls{client},
		Cards:            CardsCalls{client},
		RecurringPayment: RecurringPaymentCalls{client},
		Wallets:          WalletsCalls{client},
		Verification:     VerificationCalls{client},
		BillsPayment:     BillsPaymentCalls{client},
		SubAccounts:      SubAccountsCalls{client},
		Settlements:      SettlementsCalls{client},
		DirectDebit:      DirectDebitCalls{client},
		Paycodes:         PaycodesCalls{client},
		ReservedAccounts: ReservedAccountsCalls{client},
		LimitProfiles:    LimitProfilesCalls{client},
		Invoices:         InvoicesCalls{client},
		PaymentLinks:     PaymentLinksCalls{client},
		Customers:        CustomersCalls{client},
		Banks:            BanksCalls{client},
		MerchantSettings: MerchantSettingsCalls{client},
		WebhookEndpoints: WebhookEndpointsCalls{client},
		EventLog:         EventLogCalls{client},
		RequestLog:       RequestLogCalls{client},
		Sandbox:          SandboxCalls{client},
	}
}

// AuthenticationCalls are the calls of the group authentication.
type AuthenticationCalls struct{ client *Client }

// Login: Exchange API key and secret key for an access token.
func (calls AuthenticationCalls) Login(ctx context.Context, request AuthenticationLoginRequest, options ...CallOption) (AuthenticationLoginResponse, error) {
	return perform[AuthenticationLoginResponse](ctx, calls.client, endpoint{"POST", "/api/v1/auth/login", "keys", "", "", false, false}, request, options)
}

// TransactionsCalls are the calls of the group transactions.
type TransactionsCalls struct{ client *Client }

// Init: Initialize a transaction.
func (calls TransactionsCalls) Init(ctx context.Context, request TransactionsInitRequest, options ...CallOption) (TransactionsInitResponse, error) {
	return perform[TransactionsInitResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/transactions/init-transaction", "token", "", "", true, true}, request, options)
}

// Get: Get the status of a transaction.
func (calls TransactionsCalls) Get(ctx context.Context, request TransactionsGetRequest, options ...CallOption) (TransactionsGetResponse, error) {
	return perform[TransactionsGetResponse](ctx, calls.client, endpoint{"GET", "/api/v2/transactions/:transactionReference", "token", "", "", false, false}, request, options)
}

// Query: Get the status of a transaction by either reference.
func (calls TransactionsCalls) Query(ctx context.Context, request TransactionsQueryRequest, options ...CallOption) (TransactionsQueryResponse, error) {
	return perform[TransactionsQueryResponse](ctx, calls.client, endpoint{"GET", "/api/v2/merchant/transactions/query", "token", "", "", false, false}, request, options)
}

// Search: Search transactions, newest first.
func (calls TransactionsCalls) Search(ctx context.Context, request TransactionsSearchRequest, options ...CallOption) (TransactionsSearchResponse, error) {
	return perform[TransactionsSearchResponse](ctx, calls.client, endpoint{"GET", "/api/v1/transactions/search", "token", "", "page", false, false}, request, options)
}

// SearchEach passes every entry of all pages to handle, until handle returns an error.
func (calls TransactionsCalls) SearchEach(ctx context.Context, request TransactionsSearchRequest, handle func(TransactionsSearchResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/transactions/search", "token", "", "page", false, false}, request, handle, options)
}

// Cancel: Cancel an unpaid transaction.
func (calls TransactionsCalls) Cancel(ctx context.Context, request TransactionsCancelRequest, options ...CallOption) (TransactionsCancelResponse, error) {
	return perform[TransactionsCancelResponse](ctx, calls.client, endpoint{"DELETE", "/api/v1/merchant/transactions/:transactionReference", "token", "", "", false, false}, request, options)
}

// BankTransferCalls are the calls of the group bankTransfer.
type BankTransferCalls struct{ client *Client }

// Init: Get the virtual account to pay a transaction into.
func (calls BankTransferCalls) Init(ctx context.Context, request BankTransferInitRequest, options ...CallOption) (BankTransferInitResponse, error) {
	return perform[BankTransferInitResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/bank-transfer/init-payment", "token", "", "", true, true}, request, options)
}

// InitUssd: Get the USSD code that pays a transaction.
func (calls BankTransferCalls) InitUssd(ctx context.Context, request BankTransferInitUssdRequest, options ...CallOption) (BankTransferInitUssdResponse, error) {
	return perform[BankTransferInitUssdResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/ussd/initialize", "token", "", "", true, true}, request, options)
}

// RefundsCalls are the calls of the group refunds.
type RefundsCalls struct{ client *Client }

// Initiate: Refund a payment, in full or in part.
func (calls RefundsCalls) Initiate(ctx context.Context, request RefundsInitiateRequest, options ...CallOption) (RefundsInitiateResponse, error) {
	return perform[RefundsInitiateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/refunds/initiate-refund", "token", "", "", true, true}, request, options)
}

// Get: Get the status of a refund.
func (calls RefundsCalls) Get(ctx context.Context, request RefundsGetRequest, options ...CallOption) (RefundsGetResponse, error) {
	return perform[RefundsGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/refunds/:refundReference", "token", "", "", false, false}, request, options)
}

// List: List refunds, newest first.
func (calls RefundsCalls) List(ctx context.Context, request RefundsListRequest, options ...CallOption) (RefundsListResponse, error) {
	return perform[RefundsListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/refunds", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls RefundsCalls) ListEach(ctx context.Context, request RefundsListRequest, handle func(RefundsListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/refunds", "token", "", "page", false, false}, request, handle, options)
}

// DisputesCalls are the calls of the group disputes.
type DisputesCalls struct{ client *Client }

// List: List disputes, newest first.
func (calls DisputesCalls) List(ctx context.Context, request DisputesListRequest, options ...CallOption) (DisputesListResponse, error) {
	return perform[DisputesListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disputes", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls DisputesCalls) ListEach(ctx context.Context, request DisputesListRequest, handle func(DisputesListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/disputes", "token", "", "page", false, false}, request, handle, options)
}

// Get: Get a dispute with its evidence.
func (calls DisputesCalls) Get(ctx context.Context, request DisputesGetRequest, options ...CallOption) (DisputesGetResponse, error) {
	return perform[DisputesGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disputes/:disputeReference", "token", "", "", false, false}, request, options)
}

// SubmitEvidence: Challenge a dispute with evidence.
func (calls DisputesCalls) SubmitEvidence(ctx context.Context, request DisputesSubmitEvidenceRequest, options ...CallOption) (DisputesSubmitEvidenceResponse, error) {
	return perform[DisputesSubmitEvidenceResponse](ctx, calls.client, endpoint{"POST", "/api/v1/disputes/:disputeReference/evidence", "token", "", "", true, true}, request, options)
}

// Accept: Accept a dispute.
func (calls DisputesCalls) Accept(ctx context.Context, request DisputesAcceptRequest, options ...CallOption) (DisputesAcceptResponse, error) {
	return perform[DisputesAcceptResponse](ctx, calls.client, endpoint{"POST", "/api/v1/disputes/:disputeReference/accept", "token", "", "", false, true}, request, options)
}

// GetFile: Get an evidence file.
func (calls DisputesCalls) GetFile(ctx context.Context, request DisputesGetFileRequest, options ...CallOption) (DisputesGetFileResponse, error) {
	return perform[DisputesGetFileResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disputes/:disputeReference/files/:fileId", "token", "", "", false, false}, request, options)
}

// TransfersCalls are the calls of the group transfers.
type TransfersCalls struct{ client *Client }

// ValidateAccount: Look up the holder of a bank account.
func (calls TransfersCalls) ValidateAccount(ctx context.Context, request TransfersValidateAccountRequest, options ...CallOption) (TransfersValidateAccountResponse, error) {
	return perform[TransfersValidateAccountResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/account/validate", "token", "", "", false, false}, request, options)
}

// Initiate: Send money to a bank account.
func (calls TransfersCalls) Initiate(ctx context.Context, request TransfersInitiateRequest, options ...CallOption) (TransfersInitiateResponse, error) {
	return perform[TransfersInitiateResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/single", "token", "", "", true, true}, request, options)
}

// Authorize: Authorize a transfer with the code from the email.
func (calls TransfersCalls) Authorize(ctx context.Context, request TransfersAuthorizeRequest, options ...CallOption) (TransfersAuthorizeResponse, error) {
	return perform[TransfersAuthorizeResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/single/validate-otp", "token", "", "", true, true}, request, options)
}

// ResendCode: Resend the authorization code of a transfer.
func (calls TransfersCalls) ResendCode(ctx context.Context, request TransfersResendCodeRequest, options ...CallOption) (TransfersResendCodeResponse, error) {
	return perform[TransfersResendCodeResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/single/resend-otp", "token", "", "", true, true}, request, options)
}

// Get: Get the status of a transfer.
func (calls TransfersCalls) Get(ctx context.Context, request TransfersGetRequest, options ...CallOption) (TransfersGetResponse, error) {
	return perform[TransfersGetResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/single/summary", "token", "", "", false, false}, request, options)
}

// List: List single transfers, newest first.
func (calls TransfersCalls) List(ctx context.Context, request TransfersListRequest, options ...CallOption) (TransfersListResponse, error) {
	return perform[TransfersListResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/single/transactions", "token", "", "pageNo", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls TransfersCalls) ListEach(ctx context.Context, request TransfersListRequest, handle func(TransfersListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/single/transactions", "token", "", "pageNo", false, false}, request, handle, options)
}

// Search: Search transfers of a wallet, newest first.
func (calls TransfersCalls) Search(ctx context.Context, request TransfersSearchRequest, options ...CallOption) (TransfersSearchResponse, error) {
	return perform[TransfersSearchResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/search-transactions", "token", "", "pageNo", false, false}, request, options)
}

// SearchEach passes every entry of all pages to handle, until handle returns an error.
func (calls TransfersCalls) SearchEach(ctx context.Context, request TransfersSearchRequest, handle func(TransfersSearchResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/search-transactions", "token", "", "pageNo", false, false}, request, handle, options)
}

// InitiateBatch: Send money to many bank accounts.
func (calls TransfersCalls) InitiateBatch(ctx context.Context, request TransfersInitiateBatchRequest, options ...CallOption) (TransfersInitiateBatchResponse, error) {
	return perform[TransfersInitiateBatchResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/batch", "token", "", "", true, true}, request, options)
}

// AuthorizeBatch: Authorize a batch with the code from the email.
func (calls TransfersCalls) AuthorizeBatch(ctx context.Context, request TransfersAuthorizeBatchRequest, options ...CallOption) (TransfersAuthorizeBatchResponse, error) {
	return perform[TransfersAuthorizeBatchResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/batch/validate-otp", "token", "", "", true, true}, request, options)
}

// ResendBatchCode: Resend the authorization code of a batch.
func (calls TransfersCalls) ResendBatchCode(ctx context.Context, request TransfersResendBatchCodeRequest, options ...CallOption) (TransfersResendBatchCodeResponse, error) {
	return perform[TransfersResendBatchCodeResponse](ctx, calls.client, endpoint{"POST", "/api/v2/disbursements/batch/resend-otp", "token", "", "", true, true}, request, options)
}

// GetBatch: Get the status of a batch.
func (calls TransfersCalls) GetBatch(ctx context.Context, request TransfersGetBatchRequest, options ...CallOption) (TransfersGetBatchResponse, error) {
	return perform[TransfersGetBatchResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/batch/summary", "token", "", "", false, false}, request, options)
}

// ListBatch: List the items of a batch.
func (calls TransfersCalls) ListBatch(ctx context.Context, request TransfersListBatchRequest, options ...CallOption) (TransfersListBatchResponse, error) {
	return perform[TransfersListBatchResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/bulk/:batchReference/transactions", "token", "", "pageNo", false, false}, request, options)
}

// ListBatchEach passes every entry of all pages to handle, until handle returns an error.
func (calls TransfersCalls) ListBatchEach(ctx context.Context, request TransfersListBatchRequest, handle func(TransfersListBatchResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/bulk/:batchReference/transactions", "token", "", "pageNo", false, false}, request, handle, options)
}

// ListBatches: List batches, newest first.
func (calls TransfersCalls) ListBatches(ctx context.Context, request TransfersListBatchesRequest, options ...CallOption) (TransfersListBatchesResponse, error) {
	return perform[TransfersListBatchesResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/bulk/transactions", "token", "", "pageNo", false, false}, request, options)
}

// ListBatchesEach passes every entry of all pages to handle, until handle returns an error.
func (calls TransfersCalls) ListBatchesEach(ctx context.Context, request TransfersListBatchesRequest, handle func(TransfersListBatchesResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/bulk/transactions", "token", "", "pageNo", false, false}, request, handle, options)
}

// GetBalance: Get a wallet’s balance.
func (calls TransfersCalls) GetBalance(ctx context.Context, request TransfersGetBalanceRequest, options ...CallOption) (TransfersGetBalanceResponse, error) {
	return perform[TransfersGetBalanceResponse](ctx, calls.client, endpoint{"GET", "/api/v2/disbursements/wallet-balance", "token", "", "", false, false}, request, options)
}

// MobileCalls are the calls of the group mobile.
type MobileCalls struct{ client *Client }

// Init: Open a payment from an app.
func (calls MobileCalls) Init(ctx context.Context, request MobileInitRequest, options ...CallOption) (MobileInitResponse, error) {
	return perform[MobileInitResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/transactions/init-transaction", "open", "", "", true, false}, request, options)
}

// Query: Get the status of an app’s payment.
func (calls MobileCalls) Query(ctx context.Context, request MobileQueryRequest, options ...CallOption) (MobileQueryResponse, error) {
	return perform[MobileQueryResponse](ctx, calls.client, endpoint{"GET", "/api/v1/sdk/transactions/query/:apiKey", "open", "", "", false, false}, request, options)
}

// Transfer: Get the account to pay an app’s payment into.
func (calls MobileCalls) Transfer(ctx context.Context, request MobileTransferRequest, options ...CallOption) (MobileTransferResponse, error) {
	return perform[MobileTransferResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/bank-transfer/init-payment", "open", "", "", true, false}, request, options)
}

// Ussd: Get the USSD code that pays an app’s payment.
func (calls MobileCalls) Ussd(ctx context.Context, request MobileUssdRequest, options ...CallOption) (MobileUssdResponse, error) {
	return perform[MobileUssdResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/ussd/initialize", "open", "", "", true, false}, request, options)
}

// InitCard: Get the amount that a card pays.
func (calls MobileCalls) InitCard(ctx context.Context, request MobileInitCardRequest, options ...CallOption) (MobileInitCardResponse, error) {
	return perform[MobileInitCardResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/cards/init-card-transaction", "open", "", "", true, false}, request, options)
}

// CardRequirements: Check whether a card needs a PIN.
func (calls MobileCalls) CardRequirements(ctx context.Context, request MobileCardRequirementsRequest, options ...CallOption) (MobileCardRequirementsResponse, error) {
	return perform[MobileCardRequirementsResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/cards/requirements", "open", "", "", true, false}, request, options)
}

// Charge: Pay an app’s payment by card.
func (calls MobileCalls) Charge(ctx context.Context, request MobileChargeRequest, options ...CallOption) (MobileChargeResponse, error) {
	return perform[MobileChargeResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/cards/charge", "open", "", "", true, false}, request, options)
}

// Otp: Confirm an app’s card payment with an OTP.
func (calls MobileCalls) Otp(ctx context.Context, request MobileOtpRequest, options ...CallOption) (MobileOtpResponse, error) {
	return perform[MobileOtpResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/cards/otp/authorize", "open", "", "", true, false}, request, options)
}

// ListBanks: List the banks that support pay with bank.
func (calls MobileCalls) ListBanks(ctx context.Context, request MobileListBanksRequest, options ...CallOption) ([]MobileListBanksResponse, error) {
	return perform[[]MobileListBanksResponse](ctx, calls.client, endpoint{"GET", "/api/v1/sdk/bank/list-banks", "open", "", "", false, false}, request, options)
}

// OtherMethod: Pay by phone number or with a bank login.
func (calls MobileCalls) OtherMethod(ctx context.Context, request MobileOtherMethodRequest, options ...CallOption) (MobileOtherMethodResponse, error) {
	return perform[MobileOtherMethodResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/phone-payment/initialize", "open", "", "", true, false}, request, options)
}

// CheckoutCalls are the calls of the group checkout.
type CheckoutCalls struct{ client *Client }

// Get: Get a transaction’s checkout state.
func (calls CheckoutCalls) Get(ctx context.Context, request CheckoutGetRequest, options ...CallOption) (CheckoutGetResponse, error) {
	return perform[CheckoutGetResponse](ctx, calls.client, endpoint{"GET", "/checkout/:checkoutReference/state", "open", "", "", false, false}, request, options)
}

// Transfer: Get the account to pay into by bank transfer.
func (calls CheckoutCalls) Transfer(ctx context.Context, request CheckoutTransferRequest, options ...CallOption) (CheckoutTransferResponse, error) {
	return perform[CheckoutTransferResponse](ctx, calls.client, endpoint{"POST", "/checkout/:checkoutReference/transfer", "open", "", "", true, false}, request, options)
}

// Ussd: Get the USSD code to dial.
func (calls CheckoutCalls) Ussd(ctx context.Context, request CheckoutUssdRequest, options ...CallOption) (CheckoutUssdResponse, error) {
	return perform[CheckoutUssdResponse](ctx, calls.client, endpoint{"POST", "/checkout/:checkoutReference/ussd", "open", "", "", true, false}, request, options)
}

// Card: Pay by card.
func (calls CheckoutCalls) Card(ctx context.Context, request CheckoutCardRequest, options ...CallOption) (CheckoutCardResponse, error) {
	return perform[CheckoutCardResponse](ctx, calls.client, endpoint{"POST", "/checkout/:checkoutReference/card", "open", "", "", true, false}, request, options)
}

// Otp: Confirm a card payment with a one-time code.
func (calls CheckoutCalls) Otp(ctx context.Context, request CheckoutOtpRequest, options ...CallOption) (CheckoutOtpResponse, error) {
	return perform[CheckoutOtpResponse](ctx, calls.client, endpoint{"POST", "/checkout/:checkoutReference/otp", "open", "", "", true, false}, request, options)
}

// MailReceipt: Email the receipt.
func (calls CheckoutCalls) MailReceipt(ctx context.Context, request CheckoutMailReceiptRequest, options ...CallOption) (CheckoutMailReceiptResponse, error) {
	return perform[CheckoutMailReceiptResponse](ctx, calls.client, endpoint{"POST", "/checkout/:checkoutReference/receipt", "open", "", "", true, false}, request, options)
}

// CheckReceipt: Get the current state of a receipt’s payment.
func (calls CheckoutCalls) CheckReceipt(ctx context.Context, request CheckoutCheckReceiptRequest, options ...CallOption) (CheckoutCheckReceiptResponse, error) {
	return perform[CheckoutCheckReceiptResponse](ctx, calls.client, endpoint{"POST", "/receipt/status", "open", "", "", true, false}, request, options)
}

// Inline: Open a transaction from a merchant’s page.
func (calls CheckoutCalls) Inline(ctx context.Context, request CheckoutInlineRequest, options ...CallOption) (CheckoutInlineResponse, error) {
	return perform[CheckoutInlineResponse](ctx, calls.client, endpoint{"POST", "/plugin/transactions", "open", "", "", true, false}, request, options)
}

// CardsCalls are the calls of the group cards.
type CardsCalls struct{ client *Client }

// Charge: Charge a card.
func (calls CardsCalls) Charge(ctx context.Context, request CardsChargeRequest, options ...CallOption) (CardsChargeResponse, error) {
	return perform[CardsChargeResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/cards/charge", "token", "", "", true, true}, request, options)
}

// AuthorizeOtp: Authorize a card charge with an OTP.
func (calls CardsCalls) AuthorizeOtp(ctx context.Context, request CardsAuthorizeOtpRequest, options ...CallOption) (CardsAuthorizeOtpResponse, error) {
	return perform[CardsAuthorizeOtpResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/cards/otp/authorize", "token", "", "", true, true}, request, options)
}

// AuthorizeSecure3d: Get the result of 3-D Secure.
func (calls CardsCalls) AuthorizeSecure3d(ctx context.Context, request CardsAuthorizeSecure3dRequest, options ...CallOption) (CardsAuthorizeSecure3dResponse, error) {
	return perform[CardsAuthorizeSecure3dResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sdk/cards/secure-3d/authorize", "token", "", "", true, true}, request, options)
}

// RecurringPaymentCalls are the calls of the group recurringPayment.
type RecurringPaymentCalls struct{ client *Client }

// Charge: Charge a saved card.
func (calls RecurringPaymentCalls) Charge(ctx context.Context, request RecurringPaymentChargeRequest, options ...CallOption) (RecurringPaymentChargeResponse, error) {
	return perform[RecurringPaymentChargeResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/cards/charge-card-token", "token", "", "", true, true}, request, options)
}

// WalletsCalls are the calls of the group wallets.
type WalletsCalls struct{ client *Client }

// Create: Create a wallet for a customer.
func (calls WalletsCalls) Create(ctx context.Context, request WalletsCreateRequest, options ...CallOption) (WalletsCreateResponse, error) {
	return perform[WalletsCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/disbursements/wallet", "token", "", "", true, true}, request, options)
}

// List: List customer wallets, newest first.
func (calls WalletsCalls) List(ctx context.Context, request WalletsListRequest, options ...CallOption) (WalletsListResponse, error) {
	return perform[WalletsListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/wallet", "token", "", "pageNo", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls WalletsCalls) ListEach(ctx context.Context, request WalletsListRequest, handle func(WalletsListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/wallet", "token", "", "pageNo", false, false}, request, handle, options)
}

// GetBalance: Get the balance of a wallet.
func (calls WalletsCalls) GetBalance(ctx context.Context, request WalletsGetBalanceRequest, options ...CallOption) (WalletsGetBalanceResponse, error) {
	return perform[WalletsGetBalanceResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/wallet/balance", "token", "", "", false, false}, request, options)
}

// ListTransactions: Get a wallet’s statement, newest first.
func (calls WalletsCalls) ListTransactions(ctx context.Context, request WalletsListTransactionsRequest, options ...CallOption) (WalletsListTransactionsResponse, error) {
	return perform[WalletsListTransactionsResponse](ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/wallet/transactions", "token", "", "pageNo", false, false}, request, options)
}

// ListTransactionsEach passes every entry of all pages to handle, until handle returns an error.
func (calls WalletsCalls) ListTransactionsEach(ctx context.Context, request WalletsListTransactionsRequest, handle func(WalletsListTransactionsResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/disbursements/wallet/transactions", "token", "", "pageNo", false, false}, request, handle, options)
}

// VerificationCalls are the calls of the group verification.
type VerificationCalls struct{ client *Client }

// MatchBvnDetails: Match a customer’s details with a BVN.
func (calls VerificationCalls) MatchBvnDetails(ctx context.Context, request VerificationMatchBvnDetailsRequest, options ...CallOption) (VerificationMatchBvnDetailsResponse, error) {
	return perform[VerificationMatchBvnDetailsResponse](ctx, calls.client, endpoint{"POST", "/api/v1/vas/bvn-details-match", "token", "", "", true, true}, request, options)
}

// MatchBvnAccount: Match a bank account with a BVN.
func (calls VerificationCalls) MatchBvnAccount(ctx context.Context, request VerificationMatchBvnAccountRequest, options ...CallOption) (VerificationMatchBvnAccountResponse, error) {
	return perform[VerificationMatchBvnAccountResponse](ctx, calls.client, endpoint{"POST", "/api/v1/vas/bvn-account-match", "token", "", "", true, true}, request, options)
}

// GetNinDetails: Look up a NIN.
func (calls VerificationCalls) GetNinDetails(ctx context.Context, request VerificationGetNinDetailsRequest, options ...CallOption) (VerificationGetNinDetailsResponse, error) {
	return perform[VerificationGetNinDetailsResponse](ctx, calls.client, endpoint{"POST", "/api/v1/vas/nin-details", "token", "", "", true, true}, request, options)
}

// BillsPaymentCalls are the calls of the group billsPayment.
type BillsPaymentCalls struct{ client *Client }

// ListCategories: List bill categories.
func (calls BillsPaymentCalls) ListCategories(ctx context.Context, request BillsPaymentListCategoriesRequest, options ...CallOption) (BillsPaymentListCategoriesResponse, error) {
	return perform[BillsPaymentListCategoriesResponse](ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/biller-categories", "token", "", "page", false, false}, request, options)
}

// ListCategoriesEach passes every entry of all pages to handle, until handle returns an error.
func (calls BillsPaymentCalls) ListCategoriesEach(ctx context.Context, request BillsPaymentListCategoriesRequest, handle func(BillsPaymentListCategoriesResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/biller-categories", "token", "", "page", false, false}, request, handle, options)
}

// ListBillers: List billers, optionally of one category.
func (calls BillsPaymentCalls) ListBillers(ctx context.Context, request BillsPaymentListBillersRequest, options ...CallOption) (BillsPaymentListBillersResponse, error) {
	return perform[BillsPaymentListBillersResponse](ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/billers", "token", "", "page", false, false}, request, options)
}

// ListBillersEach passes every entry of all pages to handle, until handle returns an error.
func (calls BillsPaymentCalls) ListBillersEach(ctx context.Context, request BillsPaymentListBillersRequest, handle func(BillsPaymentListBillersResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/billers", "token", "", "page", false, false}, request, handle, options)
}

// ListProducts: List products, optionally of one biller.
func (calls BillsPaymentCalls) ListProducts(ctx context.Context, request BillsPaymentListProductsRequest, options ...CallOption) (BillsPaymentListProductsResponse, error) {
	return perform[BillsPaymentListProductsResponse](ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/biller-products", "token", "", "page", false, false}, request, options)
}

// ListProductsEach passes every entry of all pages to handle, until handle returns an error.
func (calls BillsPaymentCalls) ListProductsEach(ctx context.Context, request BillsPaymentListProductsRequest, handle func(BillsPaymentListProductsResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/biller-products", "token", "", "page", false, false}, request, handle, options)
}

// ValidateCustomer: Validate a customer before payment.
func (calls BillsPaymentCalls) ValidateCustomer(ctx context.Context, request BillsPaymentValidateCustomerRequest, options ...CallOption) (BillsPaymentValidateCustomerResponse, error) {
	return perform[BillsPaymentValidateCustomerResponse](ctx, calls.client, endpoint{"POST", "/api/v1/vas/bills-payment/validate-customer", "token", "", "", true, true}, request, options)
}

// Vend: Pay a bill from the wallet.
func (calls BillsPaymentCalls) Vend(ctx context.Context, request BillsPaymentVendRequest, options ...CallOption) (BillsPaymentVendResponse, error) {
	return perform[BillsPaymentVendResponse](ctx, calls.client, endpoint{"POST", "/api/v1/vas/bills-payment/vend", "token", "", "", true, true}, request, options)
}

// Requery: Get the status of a bill payment.
func (calls BillsPaymentCalls) Requery(ctx context.Context, request BillsPaymentRequeryRequest, options ...CallOption) (BillsPaymentRequeryResponse, error) {
	return perform[BillsPaymentRequeryResponse](ctx, calls.client, endpoint{"GET", "/api/v1/vas/bills-payment/requery", "token", "", "", false, false}, request, options)
}

// SubAccountsCalls are the calls of the group subAccounts.
type SubAccountsCalls struct{ client *Client }

// Create: Create sub accounts.
func (calls SubAccountsCalls) Create(ctx context.Context, request SubAccountsCreateRequest, options ...CallOption) ([]SubAccountsCreateResponse, error) {
	return perform[[]SubAccountsCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/sub-accounts", "token", "subAccounts", "", true, true}, request, options)
}

// List: List all sub accounts, oldest first.
func (calls SubAccountsCalls) List(ctx context.Context, request SubAccountsListRequest, options ...CallOption) ([]SubAccountsListResponse, error) {
	return perform[[]SubAccountsListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/sub-accounts", "token", "", "", false, false}, request, options)
}

// Change: Update a sub account.
func (calls SubAccountsCalls) Change(ctx context.Context, request SubAccountsChangeRequest, options ...CallOption) (SubAccountsChangeResponse, error) {
	return perform[SubAccountsChangeResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/sub-accounts", "token", "", "", true, false}, request, options)
}

// Delete: Delete a sub account.
func (calls SubAccountsCalls) Delete(ctx context.Context, request SubAccountsDeleteRequest, options ...CallOption) (any, error) {
	return perform[any](ctx, calls.client, endpoint{"DELETE", "/api/v1/sub-accounts/:subAccountCode", "token", "", "", false, false}, request, options)
}

// DeleteByQuery: Delete a sub account by query parameter.
func (calls SubAccountsCalls) DeleteByQuery(ctx context.Context, request SubAccountsDeleteByQueryRequest, options ...CallOption) (any, error) {
	return perform[any](ctx, calls.client, endpoint{"DELETE", "/api/v1/sub-accounts", "token", "", "", false, false}, request, options)
}

// SettlementsCalls are the calls of the group settlements.
type SettlementsCalls struct{ client *Client }

// List: List settlements, newest first.
func (calls SettlementsCalls) List(ctx context.Context, request SettlementsListRequest, options ...CallOption) (SettlementsListResponse, error) {
	return perform[SettlementsListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/settlements", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls SettlementsCalls) ListEach(ctx context.Context, request SettlementsListRequest, handle func(SettlementsListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/settlements", "token", "", "page", false, false}, request, handle, options)
}

// FindTransactions: List the transactions of a settlement, newest first.
func (calls SettlementsCalls) FindTransactions(ctx context.Context, request SettlementsFindTransactionsRequest, options ...CallOption) (SettlementsFindTransactionsResponse, error) {
	return perform[SettlementsFindTransactionsResponse](ctx, calls.client, endpoint{"GET", "/api/v1/transactions/find-by-settlement-reference", "token", "", "page", false, false}, request, options)
}

// FindTransactionsEach passes every entry of all pages to handle, until handle returns an error.
func (calls SettlementsCalls) FindTransactionsEach(ctx context.Context, request SettlementsFindTransactionsRequest, handle func(SettlementsFindTransactionsResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/transactions/find-by-settlement-reference", "token", "", "page", false, false}, request, handle, options)
}

// GetDetail: Get the settlement of a transaction.
func (calls SettlementsCalls) GetDetail(ctx context.Context, request SettlementsGetDetailRequest, options ...CallOption) (SettlementsGetDetailResponse, error) {
	return perform[SettlementsGetDetailResponse](ctx, calls.client, endpoint{"GET", "/api/v1/settlement-detail", "token", "", "", false, false}, request, options)
}

// DirectDebitCalls are the calls of the group directDebit.
type DirectDebitCalls struct{ client *Client }

// CreateMandate: Create a mandate.
func (calls DirectDebitCalls) CreateMandate(ctx context.Context, request DirectDebitCreateMandateRequest, options ...CallOption) (DirectDebitCreateMandateResponse, error) {
	return perform[DirectDebitCreateMandateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/direct-debit/mandate/create", "token", "", "", true, true}, request, options)
}

// GetMandates: Get mandates by reference.
func (calls DirectDebitCalls) GetMandates(ctx context.Context, request DirectDebitGetMandatesRequest, options ...CallOption) ([]DirectDebitGetMandatesResponse, error) {
	return perform[[]DirectDebitGetMandatesResponse](ctx, calls.client, endpoint{"GET", "/api/v1/direct-debit/mandate/", "token", "", "", false, false}, request, options)
}

// ListMandates: List mandates by creation date, newest first.
func (calls DirectDebitCalls) ListMandates(ctx context.Context, request DirectDebitListMandatesRequest, options ...CallOption) (DirectDebitListMandatesResponse, error) {
	return perform[DirectDebitListMandatesResponse](ctx, calls.client, endpoint{"GET", "/api/v1/direct-debit/mandates", "token", "", "page", false, false}, request, options)
}

// ListMandatesEach passes every entry of all pages to handle, until handle returns an error.
func (calls DirectDebitCalls) ListMandatesEach(ctx context.Context, request DirectDebitListMandatesRequest, handle func(DirectDebitListMandatesResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/direct-debit/mandates", "token", "", "page", false, false}, request, handle, options)
}

// Debit: Debit a mandate.
func (calls DirectDebitCalls) Debit(ctx context.Context, request DirectDebitDebitRequest, options ...CallOption) (DirectDebitDebitResponse, error) {
	return perform[DirectDebitDebitResponse](ctx, calls.client, endpoint{"POST", "/api/v1/direct-debit/mandate/debit", "token", "", "", true, true}, request, options)
}

// GetDebitStatus: Get the status of a debit.
func (calls DirectDebitCalls) GetDebitStatus(ctx context.Context, request DirectDebitGetDebitStatusRequest, options ...CallOption) (DirectDebitGetDebitStatusResponse, error) {
	return perform[DirectDebitGetDebitStatusResponse](ctx, calls.client, endpoint{"GET", "/api/v1/direct-debit/mandate/debit-status", "token", "", "", false, false}, request, options)
}

// CancelMandate: Cancel a mandate.
func (calls DirectDebitCalls) CancelMandate(ctx context.Context, request DirectDebitCancelMandateRequest, options ...CallOption) (DirectDebitCancelMandateResponse, error) {
	return perform[DirectDebitCancelMandateResponse](ctx, calls.client, endpoint{"PATCH", "/api/v1/direct-debit/mandate/cancel-mandate/:mandateCode", "token", "", "", false, false}, request, options)
}

// PaycodesCalls are the calls of the group paycodes.
type PaycodesCalls struct{ client *Client }

// Create: Create a paycode for a cash pick-up.
func (calls PaycodesCalls) Create(ctx context.Context, request PaycodesCreateRequest, options ...CallOption) (PaycodesCreateResponse, error) {
	return perform[PaycodesCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/paycode", "token", "", "", true, true}, request, options)
}

// Get: Get a paycode, masked.
func (calls PaycodesCalls) Get(ctx context.Context, request PaycodesGetRequest, options ...CallOption) (PaycodesGetResponse, error) {
	return perform[PaycodesGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/paycode/:paycodeReference", "token", "", "", false, false}, request, options)
}

// Reveal: Get a paycode, unmasked.
func (calls PaycodesCalls) Reveal(ctx context.Context, request PaycodesRevealRequest, options ...CallOption) (PaycodesRevealResponse, error) {
	return perform[PaycodesRevealResponse](ctx, calls.client, endpoint{"GET", "/api/v1/paycode/:paycodeReference/authorize", "token", "", "", false, false}, request, options)
}

// List: List paycodes, newest first.
func (calls PaycodesCalls) List(ctx context.Context, request PaycodesListRequest, options ...CallOption) (PaycodesListResponse, error) {
	return perform[PaycodesListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/paycode", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls PaycodesCalls) ListEach(ctx context.Context, request PaycodesListRequest, handle func(PaycodesListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/paycode", "token", "", "page", false, false}, request, handle, options)
}

// Cancel: Cancel a paycode.
func (calls PaycodesCalls) Cancel(ctx context.Context, request PaycodesCancelRequest, options ...CallOption) (PaycodesCancelResponse, error) {
	return perform[PaycodesCancelResponse](ctx, calls.client, endpoint{"DELETE", "/api/v1/paycode/:paycodeReference", "token", "", "", false, false}, request, options)
}

// ReservedAccountsCalls are the calls of the group reservedAccounts.
type ReservedAccountsCalls struct{ client *Client }

// Reserve: Reserve an account for a customer.
func (calls ReservedAccountsCalls) Reserve(ctx context.Context, request ReservedAccountsReserveRequest, options ...CallOption) (ReservedAccountsReserveResponse, error) {
	return perform[ReservedAccountsReserveResponse](ctx, calls.client, endpoint{"POST", "/api/v2/bank-transfer/reserved-accounts", "token", "", "", true, true}, request, options)
}

// ReserveForInvoices: Reserve an account for invoices.
func (calls ReservedAccountsCalls) ReserveForInvoices(ctx context.Context, request ReservedAccountsReserveForInvoicesRequest, options ...CallOption) (ReservedAccountsReserveForInvoicesResponse, error) {
	return perform[ReservedAccountsReserveForInvoicesResponse](ctx, calls.client, endpoint{"POST", "/api/v1/bank-transfer/reserved-accounts", "token", "", "", true, true}, request, options)
}

// ReserveWithLimit: Reserve an account with a limit profile.
func (calls ReservedAccountsCalls) ReserveWithLimit(ctx context.Context, request ReservedAccountsReserveWithLimitRequest, options ...CallOption) (ReservedAccountsReserveWithLimitResponse, error) {
	return perform[ReservedAccountsReserveWithLimitResponse](ctx, calls.client, endpoint{"POST", "/api/v1/bank-transfer/reserved-accounts/limit", "token", "", "", true, true}, request, options)
}

// Get: Get a reserved account.
func (calls ReservedAccountsCalls) Get(ctx context.Context, request ReservedAccountsGetRequest, options ...CallOption) (ReservedAccountsGetResponse, error) {
	return perform[ReservedAccountsGetResponse](ctx, calls.client, endpoint{"GET", "/api/v2/bank-transfer/reserved-accounts/:accountReference", "token", "", "", false, false}, request, options)
}

// ListTransactions: List a reserved account’s transactions, newest first.
func (calls ReservedAccountsCalls) ListTransactions(ctx context.Context, request ReservedAccountsListTransactionsRequest, options ...CallOption) (ReservedAccountsListTransactionsResponse, error) {
	return perform[ReservedAccountsListTransactionsResponse](ctx, calls.client, endpoint{"GET", "/api/v1/bank-transfer/reserved-accounts/transactions", "token", "", "page", false, false}, request, options)
}

// ListTransactionsEach passes every entry of all pages to handle, until handle returns an error.
func (calls ReservedAccountsCalls) ListTransactionsEach(ctx context.Context, request ReservedAccountsListTransactionsRequest, handle func(ReservedAccountsListTransactionsResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/bank-transfer/reserved-accounts/transactions", "token", "", "page", false, false}, request, handle, options)
}

// AddLinkedAccounts: Add account numbers at more banks.
func (calls ReservedAccountsCalls) AddLinkedAccounts(ctx context.Context, request ReservedAccountsAddLinkedAccountsRequest, options ...CallOption) (ReservedAccountsAddLinkedAccountsResponse, error) {
	return perform[ReservedAccountsAddLinkedAccountsResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/add-linked-accounts/:accountReference", "token", "", "", true, false}, request, options)
}

// UpdateCustomerBvn: Update the customer’s BVN.
func (calls ReservedAccountsCalls) UpdateCustomerBvn(ctx context.Context, request ReservedAccountsUpdateCustomerBvnRequest, options ...CallOption) (ReservedAccountsUpdateCustomerBvnResponse, error) {
	return perform[ReservedAccountsUpdateCustomerBvnResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/update-customer-bvn/:accountReference", "token", "", "", true, false}, request, options)
}

// UpdateKycInfo: Update the customer’s BVN or NIN.
func (calls ReservedAccountsCalls) UpdateKycInfo(ctx context.Context, request ReservedAccountsUpdateKycInfoRequest, options ...CallOption) (ReservedAccountsUpdateKycInfoResponse, error) {
	return perform[ReservedAccountsUpdateKycInfoResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/:accountReference/kyc-info", "token", "", "", true, false}, request, options)
}

// UpdatePaymentSourceFilter: Set the allowed payment sources.
func (calls ReservedAccountsCalls) UpdatePaymentSourceFilter(ctx context.Context, request ReservedAccountsUpdatePaymentSourceFilterRequest, options ...CallOption) (ReservedAccountsUpdatePaymentSourceFilterResponse, error) {
	return perform[ReservedAccountsUpdatePaymentSourceFilterResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/update-payment-source-filter/:accountReference", "token", "", "", true, false}, request, options)
}

// UpdateIncomeSplitConfig: Split an account’s payments among sub accounts.
func (calls ReservedAccountsCalls) UpdateIncomeSplitConfig(ctx context.Context, request ReservedAccountsUpdateIncomeSplitConfigRequest, options ...CallOption) (ReservedAccountsUpdateIncomeSplitConfigResponse, error) {
	return perform[ReservedAccountsUpdateIncomeSplitConfigResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/update-income-split-config/:accountReference", "token", "incomeSplitConfig", "", true, false}, request, options)
}

// SetLimitProfile: Set the limit profile of a reserved account.
func (calls ReservedAccountsCalls) SetLimitProfile(ctx context.Context, request ReservedAccountsSetLimitProfileRequest, options ...CallOption) (ReservedAccountsSetLimitProfileResponse, error) {
	return perform[ReservedAccountsSetLimitProfileResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/bank-transfer/reserved-accounts/limit", "token", "", "", true, false}, request, options)
}

// Deallocate: Deallocate a reserved account.
func (calls ReservedAccountsCalls) Deallocate(ctx context.Context, request ReservedAccountsDeallocateRequest, options ...CallOption) (ReservedAccountsDeallocateResponse, error) {
	return perform[ReservedAccountsDeallocateResponse](ctx, calls.client, endpoint{"DELETE", "/api/v1/bank-transfer/reserved-accounts/reference/:accountReference", "token", "", "", false, false}, request, options)
}

// LimitProfilesCalls are the calls of the group limitProfiles.
type LimitProfilesCalls struct{ client *Client }

// Create: Create a limit profile.
func (calls LimitProfilesCalls) Create(ctx context.Context, request LimitProfilesCreateRequest, options ...CallOption) (LimitProfilesCreateResponse, error) {
	return perform[LimitProfilesCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/limit-profile", "token", "", "", true, true}, request, options)
}

// List: List all limit profiles, newest first.
func (calls LimitProfilesCalls) List(ctx context.Context, request LimitProfilesListRequest, options ...CallOption) (LimitProfilesListResponse, error) {
	return perform[LimitProfilesListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/limit-profile", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls LimitProfilesCalls) ListEach(ctx context.Context, request LimitProfilesListRequest, handle func(LimitProfilesListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/limit-profile", "token", "", "page", false, false}, request, handle, options)
}

// Update: Update a limit profile.
func (calls LimitProfilesCalls) Update(ctx context.Context, request LimitProfilesUpdateRequest, options ...CallOption) (LimitProfilesUpdateResponse, error) {
	return perform[LimitProfilesUpdateResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/limit-profile/:limitProfileCode", "token", "", "", true, false}, request, options)
}

// InvoicesCalls are the calls of the group invoices.
type InvoicesCalls struct{ client *Client }

// Create: Create an invoice.
func (calls InvoicesCalls) Create(ctx context.Context, request InvoicesCreateRequest, options ...CallOption) (InvoicesCreateResponse, error) {
	return perform[InvoicesCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/invoice/create", "token", "", "", true, true}, request, options)
}

// Get: Get an invoice.
func (calls InvoicesCalls) Get(ctx context.Context, request InvoicesGetRequest, options ...CallOption) (InvoicesGetResponse, error) {
	return perform[InvoicesGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/invoice/:invoiceReference/details", "token", "", "", false, false}, request, options)
}

// List: List all invoices, newest first.
func (calls InvoicesCalls) List(ctx context.Context, request InvoicesListRequest, options ...CallOption) (InvoicesListResponse, error) {
	return perform[InvoicesListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/invoice/all", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls InvoicesCalls) ListEach(ctx context.Context, request InvoicesListRequest, handle func(InvoicesListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/invoice/all", "token", "", "page", false, false}, request, handle, options)
}

// Cancel: Cancel an unpaid invoice.
func (calls InvoicesCalls) Cancel(ctx context.Context, request InvoicesCancelRequest, options ...CallOption) (InvoicesCancelResponse, error) {
	return perform[InvoicesCancelResponse](ctx, calls.client, endpoint{"DELETE", "/api/v1/invoice/:invoiceReference/cancel", "token", "", "", false, false}, request, options)
}

// Mail: Email an invoice to the customer.
func (calls InvoicesCalls) Mail(ctx context.Context, request InvoicesMailRequest, options ...CallOption) (InvoicesMailResponse, error) {
	return perform[InvoicesMailResponse](ctx, calls.client, endpoint{"POST", "/api/v1/invoice/:invoiceReference/mail", "token", "", "", true, true}, request, options)
}

// PaymentLinksCalls are the calls of the group paymentLinks.
type PaymentLinksCalls struct{ client *Client }

// Create: Create a payment link.
func (calls PaymentLinksCalls) Create(ctx context.Context, request PaymentLinksCreateRequest, options ...CallOption) (PaymentLinksCreateResponse, error) {
	return perform[PaymentLinksCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/payment-links", "token", "", "", true, true}, request, options)
}

// Get: Get a payment link.
func (calls PaymentLinksCalls) Get(ctx context.Context, request PaymentLinksGetRequest, options ...CallOption) (PaymentLinksGetResponse, error) {
	return perform[PaymentLinksGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/payment-links/:linkReference", "token", "", "", false, false}, request, options)
}

// List: List all payment links, newest first.
func (calls PaymentLinksCalls) List(ctx context.Context, request PaymentLinksListRequest, options ...CallOption) (PaymentLinksListResponse, error) {
	return perform[PaymentLinksListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/payment-links", "token", "", "page", false, false}, request, options)
}

// ListEach passes every entry of all pages to handle, until handle returns an error.
func (calls PaymentLinksCalls) ListEach(ctx context.Context, request PaymentLinksListRequest, handle func(PaymentLinksListResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/api/v1/payment-links", "token", "", "page", false, false}, request, handle, options)
}

// Disable: Disable a payment link.
func (calls PaymentLinksCalls) Disable(ctx context.Context, request PaymentLinksDisableRequest, options ...CallOption) (PaymentLinksDisableResponse, error) {
	return perform[PaymentLinksDisableResponse](ctx, calls.client, endpoint{"DELETE", "/api/v1/payment-links/:linkReference", "token", "", "", false, false}, request, options)
}

// Mail: Email a payment link.
func (calls PaymentLinksCalls) Mail(ctx context.Context, request PaymentLinksMailRequest, options ...CallOption) (PaymentLinksMailResponse, error) {
	return perform[PaymentLinksMailResponse](ctx, calls.client, endpoint{"POST", "/api/v1/payment-links/:linkReference/mail", "token", "", "", true, true}, request, options)
}

// CustomersCalls are the calls of the group customers.
type CustomersCalls struct{ client *Client }

// List: List customers, the latest first.
func (calls CustomersCalls) List(ctx context.Context, request CustomersListRequest, options ...CallOption) (CustomersListResponse, error) {
	return perform[CustomersListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/customers", "token", "", "", false, false}, request, options)
}

// BanksCalls are the calls of the group banks.
type BanksCalls struct{ client *Client }

// List: List all banks.
func (calls BanksCalls) List(ctx context.Context, request BanksListRequest, options ...CallOption) ([]BanksListResponse, error) {
	return perform[[]BanksListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/banks", "token", "", "", false, false}, request, options)
}

// ListForUssd: List banks that support USSD.
func (calls BanksCalls) ListForUssd(ctx context.Context, request BanksListForUssdRequest, options ...CallOption) ([]BanksListForUssdResponse, error) {
	return perform[[]BanksListForUssdResponse](ctx, calls.client, endpoint{"GET", "/api/v1/sdk/transactions/banks", "open", "", "", false, false}, request, options)
}

// MerchantSettingsCalls are the calls of the group merchantSettings.
type MerchantSettingsCalls struct{ client *Client }

// Get: Get your account’s settings.
func (calls MerchantSettingsCalls) Get(ctx context.Context, request MerchantSettingsGetRequest, options ...CallOption) (MerchantSettingsGetResponse, error) {
	return perform[MerchantSettingsGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/settings", "token", "", "", false, false}, request, options)
}

// Change: Update your account’s settings.
func (calls MerchantSettingsCalls) Change(ctx context.Context, request MerchantSettingsChangeRequest, options ...CallOption) (MerchantSettingsChangeResponse, error) {
	return perform[MerchantSettingsChangeResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/merchant/settings", "token", "", "", true, false}, request, options)
}

// WebhookEndpointsCalls are the calls of the group webhookEndpoints.
type WebhookEndpointsCalls struct{ client *Client }

// List: List your additional webhook endpoints with their health, oldest first.
func (calls WebhookEndpointsCalls) List(ctx context.Context, request WebhookEndpointsListRequest, options ...CallOption) ([]WebhookEndpointsListResponse, error) {
	return perform[[]WebhookEndpointsListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/webhook-endpoints", "token", "", "", false, false}, request, options)
}

// Create: Add a webhook endpoint with its own secret key, which is shown only once.
func (calls WebhookEndpointsCalls) Create(ctx context.Context, request WebhookEndpointsCreateRequest, options ...CallOption) (WebhookEndpointsCreateResponse, error) {
	return perform[WebhookEndpointsCreateResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/webhook-endpoints", "token", "", "", true, true}, request, options)
}

// Change: Update, pause or resume an additional webhook endpoint.
func (calls WebhookEndpointsCalls) Change(ctx context.Context, request WebhookEndpointsChangeRequest, options ...CallOption) (WebhookEndpointsChangeResponse, error) {
	return perform[WebhookEndpointsChangeResponse](ctx, calls.client, endpoint{"PUT", "/api/v1/merchant/webhook-endpoints/:id", "token", "", "", true, false}, request, options)
}

// RotateSecret: Replace an additional webhook endpoint’s secret key, shown only once.
func (calls WebhookEndpointsCalls) RotateSecret(ctx context.Context, request WebhookEndpointsRotateSecretRequest, options ...CallOption) (WebhookEndpointsRotateSecretResponse, error) {
	return perform[WebhookEndpointsRotateSecretResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/webhook-endpoints/:id/secret", "token", "", "", true, true}, request, options)
}

// Remove: Remove an additional webhook endpoint.
func (calls WebhookEndpointsCalls) Remove(ctx context.Context, request WebhookEndpointsRemoveRequest, options ...CallOption) (any, error) {
	return perform[any](ctx, calls.client, endpoint{"DELETE", "/api/v1/merchant/webhook-endpoints/:id", "token", "", "", false, false}, request, options)
}

// EventLogCalls are the calls of the group eventLog.
type EventLogCalls struct{ client *Client }

// List: List your events with every attempt, newest first.
func (calls EventLogCalls) List(ctx context.Context, request EventLogListRequest, options ...CallOption) (EventLogListResponse, error) {
	return perform[EventLogListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/events", "token", "", "", false, false}, request, options)
}

// Get: Get one of your events with every attempt.
func (calls EventLogCalls) Get(ctx context.Context, request EventLogGetRequest, options ...CallOption) (EventLogGetResponse, error) {
	return perform[EventLogGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/events/:id", "token", "", "", false, false}, request, options)
}

// Resend: Resend an event.
func (calls EventLogCalls) Resend(ctx context.Context, request EventLogResendRequest, options ...CallOption) (EventLogResendResponse, error) {
	return perform[EventLogResendResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/events/:id/resend", "token", "", "", false, true}, request, options)
}

// ResendTo: Resend an event to an additional webhook endpoint.
func (calls EventLogCalls) ResendTo(ctx context.Context, request EventLogResendToRequest, options ...CallOption) (EventLogResendToResponse, error) {
	return perform[EventLogResendToResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/events/:id/resend/:endpointId", "token", "", "", false, true}, request, options)
}

// ResendSince: Resend all events since a given time.
func (calls EventLogCalls) ResendSince(ctx context.Context, request EventLogResendSinceRequest, options ...CallOption) (EventLogResendSinceResponse, error) {
	return perform[EventLogResendSinceResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/events/resend", "token", "", "", true, true}, request, options)
}

// SendTest: Send a test event to a webhook URL.
func (calls EventLogCalls) SendTest(ctx context.Context, request EventLogSendTestRequest, options ...CallOption) (EventLogSendTestResponse, error) {
	return perform[EventLogSendTestResponse](ctx, calls.client, endpoint{"POST", "/api/v1/merchant/events/test", "token", "", "", true, true}, request, options)
}

// RequestLogCalls are the calls of the group requestLog.
type RequestLogCalls struct{ client *Client }

// List: List your API requests and their responses, newest first.
func (calls RequestLogCalls) List(ctx context.Context, request RequestLogListRequest, options ...CallOption) (RequestLogListResponse, error) {
	return perform[RequestLogListResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/requests", "token", "", "", false, false}, request, options)
}

// Get: Get one of your logged requests.
func (calls RequestLogCalls) Get(ctx context.Context, request RequestLogGetRequest, options ...CallOption) (RequestLogGetResponse, error) {
	return perform[RequestLogGetResponse](ctx, calls.client, endpoint{"GET", "/api/v1/merchant/requests/:id", "token", "", "", false, false}, request, options)
}

// SandboxCalls are the calls of the group sandbox.
type SandboxCalls struct{ client *Client }

// PayIntoAccount: Pay into an account from the customer’s banking app.
func (calls SandboxCalls) PayIntoAccount(ctx context.Context, request SandboxPayIntoAccountRequest, options ...CallOption) (SandboxPayIntoAccountResponse, error) {
	return perform[SandboxPayIntoAccountResponse](ctx, calls.client, endpoint{"POST", "/sandbox/transfers", "open", "", "", true, false}, request, options)
}

// EnquireName: Look up an account holder in the customer’s banking app.
func (calls SandboxCalls) EnquireName(ctx context.Context, request SandboxEnquireNameRequest, options ...CallOption) (SandboxEnquireNameResponse, error) {
	return perform[SandboxEnquireNameResponse](ctx, calls.client, endpoint{"GET", "/sandbox/name-enquiry", "open", "", "", false, false}, request, options)
}

// FundWallet: Fund a wallet.
func (calls SandboxCalls) FundWallet(ctx context.Context, request SandboxFundWalletRequest, options ...CallOption) (SandboxFundWalletResponse, error) {
	return perform[SandboxFundWalletResponse](ctx, calls.client, endpoint{"POST", "/sandbox/wallet/fund", "token", "", "", true, true}, request, options)
}

// AuthorizeMandate: Authorize a mandate as the customer.
func (calls SandboxCalls) AuthorizeMandate(ctx context.Context, request SandboxAuthorizeMandateRequest, options ...CallOption) (SandboxAuthorizeMandateResponse, error) {
	return perform[SandboxAuthorizeMandateResponse](ctx, calls.client, endpoint{"POST", "/sandbox/mandates/:mandateCode/authorize", "token", "", "", false, true}, request, options)
}

// RedeemPaycode: Redeem a paycode as an agent.
func (calls SandboxCalls) RedeemPaycode(ctx context.Context, request SandboxRedeemPaycodeRequest, options ...CallOption) (SandboxRedeemPaycodeResponse, error) {
	return perform[SandboxRedeemPaycodeResponse](ctx, calls.client, endpoint{"POST", "/sandbox/paycodes/:paycodeReference/redeem", "token", "", "", false, true}, request, options)
}

// CollectCash: Complete a cash payment at an agent.
func (calls SandboxCalls) CollectCash(ctx context.Context, request SandboxCollectCashRequest, options ...CallOption) (SandboxCollectCashResponse, error) {
	return perform[SandboxCollectCashResponse](ctx, calls.client, endpoint{"POST", "/sandbox/cash-collections", "token", "", "", true, true}, request, options)
}

// OpenDispute: Open a dispute as the payer’s bank.
func (calls SandboxCalls) OpenDispute(ctx context.Context, request SandboxOpenDisputeRequest, options ...CallOption) (SandboxOpenDisputeResponse, error) {
	return perform[SandboxOpenDisputeResponse](ctx, calls.client, endpoint{"POST", "/sandbox/disputes", "token", "", "", true, true}, request, options)
}

// DecideDispute: Decide a dispute as the payer’s bank.
func (calls SandboxCalls) DecideDispute(ctx context.Context, request SandboxDecideDisputeRequest, options ...CallOption) (SandboxDecideDisputeResponse, error) {
	return perform[SandboxDecideDisputeResponse](ctx, calls.client, endpoint{"POST", "/sandbox/disputes/:disputeReference/decide", "token", "", "", true, true}, request, options)
}

// ReadInbox: List the sandbox’s emails, newest first.
func (calls SandboxCalls) ReadInbox(ctx context.Context, request SandboxReadInboxRequest, options ...CallOption) ([]SandboxReadInboxResponse, error) {
	return perform[[]SandboxReadInboxResponse](ctx, calls.client, endpoint{"GET", "/sandbox/inbox", "token", "", "", false, false}, request, options)
}

// GetSettings: Get the merchant’s settings.
func (calls SandboxCalls) GetSettings(ctx context.Context, request SandboxGetSettingsRequest, options ...CallOption) (SandboxGetSettingsResponse, error) {
	return perform[SandboxGetSettingsResponse](ctx, calls.client, endpoint{"GET", "/sandbox/settings", "token", "", "", false, false}, request, options)
}

// ChangeSettings: Update the merchant’s settings.
func (calls SandboxCalls) ChangeSettings(ctx context.Context, request SandboxChangeSettingsRequest, options ...CallOption) (SandboxChangeSettingsResponse, error) {
	return perform[SandboxChangeSettingsResponse](ctx, calls.client, endpoint{"PUT", "/sandbox/settings", "token", "", "", true, false}, request, options)
}

// ListEvents: List events with every attempt, newest first.
func (calls SandboxCalls) ListEvents(ctx context.Context, request SandboxListEventsRequest, options ...CallOption) (SandboxListEventsResponse, error) {
	return perform[SandboxListEventsResponse](ctx, calls.client, endpoint{"GET", "/sandbox/events", "token", "", "page", false, false}, request, options)
}

// ListEventsEach passes every entry of all pages to handle, until handle returns an error.
func (calls SandboxCalls) ListEventsEach(ctx context.Context, request SandboxListEventsRequest, handle func(SandboxListEventsResponseContent) error, options ...CallOption) error {
	return each(ctx, calls.client, endpoint{"GET", "/sandbox/events", "token", "", "page", false, false}, request, handle, options)
}

// ListenToEvents: Poll for new events, as a webhook endpoint would receive them.
func (calls SandboxCalls) ListenToEvents(ctx context.Context, request SandboxListenToEventsRequest, options ...CallOption) (SandboxListenToEventsResponse, error) {
	return perform[SandboxListenToEventsResponse](ctx, calls.client, endpoint{"GET", "/sandbox/events/listen", "token", "", "", false, false}, request, options)
}

// ResendEvent: Resend an event.
func (calls SandboxCalls) ResendEvent(ctx context.Context, request SandboxResendEventRequest, options ...CallOption) (SandboxResendEventResponse, error) {
	return perform[SandboxResendEventResponse](ctx, calls.client, endpoint{"POST", "/sandbox/events/:id/resend", "token", "", "", false, true}, request, options)
}

// ResendEvents: Resend all events since a given time.
func (calls SandboxCalls) ResendEvents(ctx context.Context, request SandboxResendEventsRequest, options ...CallOption) (SandboxResendEventsResponse, error) {
	return perform[SandboxResendEventsResponse](ctx, calls.client, endpoint{"POST", "/sandbox/events/resend", "token", "", "", true, true}, request, options)
}

// ReadClock: Get the sandbox’s clock.
func (calls SandboxCalls) ReadClock(ctx context.Context, request SandboxReadClockRequest, options ...CallOption) (SandboxReadClockResponse, error) {
	return perform[SandboxReadClockResponse](ctx, calls.client, endpoint{"GET", "/sandbox/clock", "token", "", "", false, false}, request, options)
}

// AdvanceClock: Move the sandbox’s clock forward.
func (calls SandboxCalls) AdvanceClock(ctx context.Context, request SandboxAdvanceClockRequest, options ...CallOption) (SandboxAdvanceClockResponse, error) {
	return perform[SandboxAdvanceClockResponse](ctx, calls.client, endpoint{"POST", "/sandbox/clock/advance", "token", "", "", true, true}, request, options)
}

// GetReport: Get the report of the last check of your integration.
func (calls SandboxCalls) GetReport(ctx context.Context, request SandboxGetReportRequest, options ...CallOption) (SandboxGetReportResponse, error) {
	return perform[SandboxGetReportResponse](ctx, calls.client, endpoint{"GET", "/sandbox/report", "token", "", "", false, false}, request, options)
}

// SaveReport: Store the report of a check of your integration.
func (calls SandboxCalls) SaveReport(ctx context.Context, request SandboxSaveReportRequest, options ...CallOption) (SandboxSaveReportResponse, error) {
	return perform[SandboxSaveReportResponse](ctx, calls.client, endpoint{"PUT", "/sandbox/report", "token", "", "", true, false}, request, options)
}

type AuthenticationLoginRequest struct{}

type AuthenticationLoginResponse struct {
	// JWT to send as `Authorization: Bearer …` with every other request
	AccessToken string `json:"accessToken"`
	// Seconds
	ExpiresIn int64 `json:"expiresIn"`
}

type TransactionsInitRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type TransactionsInitRequest struct {
	// Naira, as a number or decimal string with at most 2 decimals
	Amount             json.Number `json:"amount"`
	CustomerName       string      `json:"customerName,omitempty"`
	CustomerEmail      string      `json:"customerEmail"`
	PaymentReference   string      `json:"paymentReference"`
	PaymentDescription string      `json:"paymentDescription,omitempty"`
	CurrencyCode       string      `json:"currencyCode"`
	// 12 digits
	ContractCode      string                                     `json:"contractCode"`
	RedirectUrl       string                                     `json:"redirectUrl,omitempty"`
	PaymentMethods    []string                                   `json:"paymentMethods,omitempty"`
	IncomeSplitConfig []TransactionsInitRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
	MetaData          map[string]any                             `json:"metaData,omitempty"`
	Metadata          map[string]any                             `json:"metadata,omitempty"`
}

type TransactionsInitResponse struct {
	TransactionReference string           `json:"transactionReference"`
	PaymentReference     string           `json:"paymentReference"`
	MerchantName         string           `json:"merchantName"`
	ApiKey               string           `json:"apiKey"`
	EnabledPaymentMethod []string         `json:"enabledPaymentMethod"`
	CheckoutUrl          string           `json:"checkoutUrl"`
	RedirectUrl          string           `json:"redirectUrl"`
	IncomeSplitConfig    []map[string]any `json:"incomeSplitConfig"`
}

type TransactionsGetRequest struct {
	TransactionReference string `json:"transactionReference"`
}

type TransactionsGetResponseProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type TransactionsGetResponseCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type TransactionsGetResponseAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsGetResponseAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsGetResponseCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type TransactionsGetResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                   `json:"settlementAmount"`
	PaidOn             string                                   `json:"paidOn"`
	PaymentStatus      string                                   `json:"paymentStatus"`
	PaymentDescription string                                   `json:"paymentDescription"`
	Currency           string                                   `json:"currency"`
	PaymentMethod      string                                   `json:"paymentMethod"`
	Product            TransactionsGetResponseProduct           `json:"product"`
	CardDetails        *TransactionsGetResponseCardDetails      `json:"cardDetails"`
	AccountDetails     *TransactionsGetResponseAccountDetails   `json:"accountDetails"`
	AccountPayments    []TransactionsGetResponseAccountPayments `json:"accountPayments"`
	Customer           TransactionsGetResponseCustomer          `json:"customer"`
	MetaData           map[string]any                           `json:"metaData"`
}

type TransactionsQueryRequest struct {
	TransactionReference string `json:"transactionReference,omitempty"`
	PaymentReference     string `json:"paymentReference,omitempty"`
}

type TransactionsQueryResponseProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type TransactionsQueryResponseCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type TransactionsQueryResponseAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsQueryResponseAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsQueryResponseCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type TransactionsQueryResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                     `json:"settlementAmount"`
	PaidOn             string                                     `json:"paidOn"`
	PaymentStatus      string                                     `json:"paymentStatus"`
	PaymentDescription string                                     `json:"paymentDescription"`
	Currency           string                                     `json:"currency"`
	PaymentMethod      string                                     `json:"paymentMethod"`
	Product            TransactionsQueryResponseProduct           `json:"product"`
	CardDetails        *TransactionsQueryResponseCardDetails      `json:"cardDetails"`
	AccountDetails     *TransactionsQueryResponseAccountDetails   `json:"accountDetails"`
	AccountPayments    []TransactionsQueryResponseAccountPayments `json:"accountPayments"`
	Customer           TransactionsQueryResponseCustomer          `json:"customer"`
	MetaData           map[string]any                             `json:"metaData"`
}

type TransactionsSearchRequest struct {
	Page                 *int64 `json:"page,omitempty"`
	Size                 *int64 `json:"size,omitempty"`
	PaymentReference     string `json:"paymentReference,omitempty"`
	TransactionReference string `json:"transactionReference,omitempty"`
	// Naira, as a number or decimal string with at most 2 decimals
	FromAmount json.Number `json:"fromAmount,omitempty"`
	// Naira, as a number or decimal string with at most 2 decimals
	ToAmount json.Number `json:"toAmount,omitempty"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount json.Number `json:"amount,omitempty"`
	// Part of the name, case-insensitive
	CustomerName  string `json:"customerName,omitempty"`
	CustomerEmail string `json:"customerEmail,omitempty"`
	PaymentStatus string `json:"paymentStatus,omitempty"`
	// Unix milliseconds or a date
	From string `json:"from,omitempty"`
	// Unix milliseconds or a date
	To string `json:"to,omitempty"`
}

type TransactionsSearchResponseContentCustomerDTO struct {
	Email        string `json:"email"`
	Name         string `json:"name"`
	MerchantCode string `json:"merchantCode"`
}

type TransactionsSearchResponseContent struct {
	CustomerDTO   TransactionsSearchResponseContentCustomerDTO `json:"customerDTO"`
	PaymentMethod string                                       `json:"paymentMethod"`
	CreatedOn     string                                       `json:"createdOn"`
	CompletedOn   string                                       `json:"completedOn"`
	// Naira
	Amount  json.Number `json:"amount"`
	Flagged bool        `json:"flagged"`
	// Naira
	Fee                  json.Number    `json:"fee"`
	CurrencyCode         string         `json:"currencyCode"`
	PaymentDescription   string         `json:"paymentDescription"`
	PaymentStatus        string         `json:"paymentStatus"`
	TransactionReference string         `json:"transactionReference"`
	PaymentReference     string         `json:"paymentReference"`
	MerchantCode         string         `json:"merchantCode"`
	MerchantName         string         `json:"merchantName"`
	MetaData             map[string]any `json:"metaData"`
	// Naira
	PayableAmount json.Number `json:"payableAmount"`
	// Naira
	AmountPaid        json.Number `json:"amountPaid"`
	Completed         bool        `json:"completed"`
	PaymentMethodList []string    `json:"paymentMethodList"`
	CollectionChannel string      `json:"collectionChannel"`
}

type TransactionsSearchResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransactionsSearchResponsePageable struct {
	Sort       TransactionsSearchResponsePageableSort `json:"sort"`
	PageSize   int64                                  `json:"pageSize"`
	PageNumber int64                                  `json:"pageNumber"`
	Offset     int64                                  `json:"offset"`
	Paged      bool                                   `json:"paged"`
	Unpaged    bool                                   `json:"unpaged"`
}

type TransactionsSearchResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransactionsSearchResponse struct {
	Content          []TransactionsSearchResponseContent `json:"content"`
	Pageable         TransactionsSearchResponsePageable  `json:"pageable"`
	Last             bool                                `json:"last"`
	First            bool                                `json:"first"`
	TotalElements    int64                               `json:"totalElements"`
	TotalPages       int64                               `json:"totalPages"`
	Sort             TransactionsSearchResponseSort      `json:"sort"`
	NumberOfElements int64                               `json:"numberOfElements"`
	Size             int64                               `json:"size"`
	Number           int64                               `json:"number"`
	Empty            bool                                `json:"empty"`
}

type TransactionsCancelRequest struct {
	TransactionReference string `json:"transactionReference"`
}

type TransactionsCancelResponseProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type TransactionsCancelResponseCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type TransactionsCancelResponseAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsCancelResponseAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type TransactionsCancelResponseCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type TransactionsCancelResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                      `json:"settlementAmount"`
	PaidOn             string                                      `json:"paidOn"`
	PaymentStatus      string                                      `json:"paymentStatus"`
	PaymentDescription string                                      `json:"paymentDescription"`
	Currency           string                                      `json:"currency"`
	PaymentMethod      string                                      `json:"paymentMethod"`
	Product            TransactionsCancelResponseProduct           `json:"product"`
	CardDetails        *TransactionsCancelResponseCardDetails      `json:"cardDetails"`
	AccountDetails     *TransactionsCancelResponseAccountDetails   `json:"accountDetails"`
	AccountPayments    []TransactionsCancelResponseAccountPayments `json:"accountPayments"`
	Customer           TransactionsCancelResponseCustomer          `json:"customer"`
	MetaData           map[string]any                              `json:"metaData"`
}

type BankTransferInitRequest struct {
	TransactionReference string `json:"transactionReference"`
	BankCode             string `json:"bankCode,omitempty"`
}

type BankTransferInitResponse struct {
	AccountNumber          string `json:"accountNumber"`
	AccountName            string `json:"accountName"`
	BankName               string `json:"bankName"`
	BankCode               string `json:"bankCode"`
	AccountDurationSeconds int64  `json:"accountDurationSeconds"`
	UssdPayment            string `json:"ussdPayment"`
	RequestTime            string `json:"requestTime"`
	ExpiresOn              string `json:"expiresOn"`
	TransactionReference   string `json:"transactionReference"`
	PaymentReference       string `json:"paymentReference"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable       json.Number    `json:"totalPayable"`
	CollectionChannel  string         `json:"collectionChannel"`
	ProductInformation map[string]any `json:"productInformation"`
}

type BankTransferInitUssdRequest struct {
	TransactionReference string `json:"transactionReference"`
	// USSD code (`*737#` or `737`) or bank code
	BankUssdCode string `json:"bankUssdCode"`
}

type BankTransferInitUssdResponse struct {
	AccountNumber          string `json:"accountNumber"`
	AccountName            string `json:"accountName"`
	BankName               string `json:"bankName"`
	BankCode               string `json:"bankCode"`
	AccountDurationSeconds int64  `json:"accountDurationSeconds"`
	UssdPayment            string `json:"ussdPayment"`
	RequestTime            string `json:"requestTime"`
	ExpiresOn              string `json:"expiresOn"`
	TransactionReference   string `json:"transactionReference"`
	PaymentReference       string `json:"paymentReference"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable       json.Number    `json:"totalPayable"`
	CollectionChannel  string         `json:"collectionChannel"`
	ProductInformation map[string]any `json:"productInformation"`
}

type RefundsInitiateRequest struct {
	TransactionReference string `json:"transactionReference"`
	// Naira, as a number or decimal string with at most 2 decimals
	RefundAmount    json.Number `json:"refundAmount"`
	RefundReference string      `json:"refundReference"`
	// At most 64 characters
	RefundReason string `json:"refundReason"`
	// At most 16 characters
	CustomerNote string `json:"customerNote"`
	// 10 digits
	DestinationAccountNumber   string `json:"destinationAccountNumber,omitempty"`
	DestinationAccountBankCode string `json:"destinationAccountBankCode,omitempty"`
}

type RefundsInitiateResponse struct {
	RefundReference      string `json:"refundReference"`
	Reference            string `json:"reference"`
	TransactionReference string `json:"transactionReference"`
	RefundReason         string `json:"refundReason"`
	CustomerNote         string `json:"customerNote"`
	// Naira
	RefundAmount               json.Number `json:"refundAmount"`
	RefundType                 string      `json:"refundType"`
	RefundStatus               string      `json:"refundStatus"`
	RefundStrategy             string      `json:"refundStrategy"`
	Comment                    string      `json:"comment"`
	CreatedOn                  string      `json:"createdOn"`
	CompletedOn                string      `json:"completedOn"`
	DestinationAccountNumber   string      `json:"destinationAccountNumber"`
	DestinationAccountName     string      `json:"destinationAccountName"`
	DestinationAccountBankCode string      `json:"destinationAccountBankCode"`
	DestinationBankName        string      `json:"destinationBankName"`
	CurrencyCode               string      `json:"currencyCode"`
}

type RefundsGetRequest struct {
	RefundReference string `json:"refundReference"`
}

type RefundsGetResponse struct {
	RefundReference      string `json:"refundReference"`
	Reference            string `json:"reference"`
	TransactionReference string `json:"transactionReference"`
	RefundReason         string `json:"refundReason"`
	CustomerNote         string `json:"customerNote"`
	// Naira
	RefundAmount               json.Number `json:"refundAmount"`
	RefundType                 string      `json:"refundType"`
	RefundStatus               string      `json:"refundStatus"`
	RefundStrategy             string      `json:"refundStrategy"`
	Comment                    string      `json:"comment"`
	CreatedOn                  string      `json:"createdOn"`
	CompletedOn                string      `json:"completedOn"`
	DestinationAccountNumber   string      `json:"destinationAccountNumber"`
	DestinationAccountName     string      `json:"destinationAccountName"`
	DestinationAccountBankCode string      `json:"destinationAccountBankCode"`
	DestinationBankName        string      `json:"destinationBankName"`
	CurrencyCode               string      `json:"currencyCode"`
}

type RefundsListRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
	// Unix milliseconds or a date
	From string `json:"from,omitempty"`
	// Unix milliseconds or a date
	To string `json:"to,omitempty"`
}

type RefundsListResponseContent struct {
	RefundReference      string `json:"refundReference"`
	Reference            string `json:"reference"`
	TransactionReference string `json:"transactionReference"`
	RefundReason         string `json:"refundReason"`
	CustomerNote         string `json:"customerNote"`
	// Naira
	RefundAmount               json.Number `json:"refundAmount"`
	RefundType                 string      `json:"refundType"`
	RefundStatus               string      `json:"refundStatus"`
	RefundStrategy             string      `json:"refundStrategy"`
	Comment                    string      `json:"comment"`
	CreatedOn                  string      `json:"createdOn"`
	CompletedOn                string      `json:"completedOn"`
	DestinationAccountNumber   string      `json:"destinationAccountNumber"`
	DestinationAccountName     string      `json:"destinationAccountName"`
	DestinationAccountBankCode string      `json:"destinationAccountBankCode"`
	DestinationBankName        string      `json:"destinationBankName"`
	CurrencyCode               string      `json:"currencyCode"`
}

type RefundsListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type RefundsListResponsePageable struct {
	Sort       RefundsListResponsePageableSort `json:"sort"`
	PageSize   int64                           `json:"pageSize"`
	PageNumber int64                           `json:"pageNumber"`
	Offset     int64                           `json:"offset"`
	Paged      bool                            `json:"paged"`
	Unpaged    bool                            `json:"unpaged"`
}

type RefundsListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type RefundsListResponse struct {
	Content          []RefundsListResponseContent `json:"content"`
	Pageable         RefundsListResponsePageable  `json:"pageable"`
	Last             bool                         `json:"last"`
	First            bool                         `json:"first"`
	TotalElements    int64                        `json:"totalElements"`
	TotalPages       int64                        `json:"totalPages"`
	Sort             RefundsListResponseSort      `json:"sort"`
	NumberOfElements int64                        `json:"numberOfElements"`
	Size             int64                        `json:"size"`
	Number           int64                        `json:"number"`
	Empty            bool                         `json:"empty"`
}

type DisputesListRequest struct {
	Page          *int64 `json:"page,omitempty"`
	Size          *int64 `json:"size,omitempty"`
	DisputeStatus string `json:"disputeStatus,omitempty"`
	// Unix milliseconds or a date
	From string `json:"from,omitempty"`
	// Unix milliseconds or a date
	To string `json:"to,omitempty"`
}

type DisputesListResponseContent struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment string `json:"comment"`
}

type DisputesListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type DisputesListResponsePageable struct {
	Sort       DisputesListResponsePageableSort `json:"sort"`
	PageSize   int64                            `json:"pageSize"`
	PageNumber int64                            `json:"pageNumber"`
	Offset     int64                            `json:"offset"`
	Paged      bool                             `json:"paged"`
	Unpaged    bool                             `json:"unpaged"`
}

type DisputesListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type DisputesListResponse struct {
	Content          []DisputesListResponseContent `json:"content"`
	Pageable         DisputesListResponsePageable  `json:"pageable"`
	Last             bool                          `json:"last"`
	First            bool                          `json:"first"`
	TotalElements    int64                         `json:"totalElements"`
	TotalPages       int64                         `json:"totalPages"`
	Sort             DisputesListResponseSort      `json:"sort"`
	NumberOfElements int64                         `json:"numberOfElements"`
	Size             int64                         `json:"size"`
	Number           int64                         `json:"number"`
	Empty            bool                          `json:"empty"`
}

type DisputesGetRequest struct {
	DisputeReference string `json:"disputeReference"`
}

type DisputesGetResponseEvidenceFiles struct {
	FileId string `json:"fileId"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Bytes  int64  `json:"bytes"`
}

type DisputesGetResponseEvidence struct {
	Text        string                             `json:"text"`
	SubmittedOn string                             `json:"submittedOn"`
	Files       []DisputesGetResponseEvidenceFiles `json:"files"`
}

type DisputesGetResponse struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment  string                       `json:"comment"`
	Evidence *DisputesGetResponseEvidence `json:"evidence"`
}

type DisputesSubmitEvidenceRequestFiles struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Content string `json:"content"`
}

type DisputesSubmitEvidenceRequest struct {
	DisputeReference string                               `json:"disputeReference"`
	Text             string                               `json:"text"`
	Files            []DisputesSubmitEvidenceRequestFiles `json:"files,omitempty"`
}

type DisputesSubmitEvidenceResponseEvidenceFiles struct {
	FileId string `json:"fileId"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Bytes  int64  `json:"bytes"`
}

type DisputesSubmitEvidenceResponseEvidence struct {
	Text        string                                        `json:"text"`
	SubmittedOn string                                        `json:"submittedOn"`
	Files       []DisputesSubmitEvidenceResponseEvidenceFiles `json:"files"`
}

type DisputesSubmitEvidenceResponse struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment  string                                  `json:"comment"`
	Evidence *DisputesSubmitEvidenceResponseEvidence `json:"evidence"`
}

type DisputesAcceptRequest struct {
	DisputeReference string `json:"disputeReference"`
}

type DisputesAcceptResponse struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment string `json:"comment"`
}

type DisputesGetFileRequest struct {
	DisputeReference string `json:"disputeReference"`
	FileId           string `json:"fileId"`
}

type DisputesGetFileResponse struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Content in base64
	Content string `json:"content"`
}

type TransfersValidateAccountRequest struct {
	// 10 digits
	AccountNumber string `json:"accountNumber"`
	// 3 to 6 digits
	BankCode string `json:"bankCode"`
}

type TransfersValidateAccountResponse struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	CurrencyCode  string `json:"currencyCode"`
}

type TransfersInitiateRequestSenderInfo struct {
	SourceAccountNumber string `json:"sourceAccountNumber,omitempty"`
	SourceAccountName   string `json:"sourceAccountName,omitempty"`
	SenderBankCode      string `json:"senderBankCode,omitempty"`
	SourceAccountBvn    string `json:"sourceAccountBvn,omitempty"`
}

type TransfersInitiateRequest struct {
	// Naira, as a number or decimal string with at most 2 decimals
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	Narration string      `json:"narration"`
	// 3 to 6 digits
	DestinationBankCode string `json:"destinationBankCode"`
	// 10 digits
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	Currency                 string `json:"currency"`
	// Wallet account number, of the merchant or of a customer
	SourceAccountNumber string `json:"sourceAccountNumber"`
	// Whether to return PENDING at once and complete the transfer later
	Async      *bool                               `json:"async,omitempty"`
	SenderInfo *TransfersInitiateRequestSenderInfo `json:"senderInfo,omitempty"`
}

type TransfersInitiateResponseSenderInfo struct {
	SourceAccountNumber string `json:"sourceAccountNumber"`
	SourceAccountName   string `json:"sourceAccountName"`
	SenderBankCode      string `json:"senderBankCode"`
}

type TransfersInitiateResponse struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	// Status of the transfer
	Status      string `json:"status"`
	DateCreated string `json:"dateCreated"`
	// Naira
	TotalFee                 json.Number                          `json:"totalFee"`
	DestinationAccountName   string                               `json:"destinationAccountName"`
	DestinationBankName      string                               `json:"destinationBankName"`
	DestinationAccountNumber string                               `json:"destinationAccountNumber"`
	DestinationBankCode      string                               `json:"destinationBankCode"`
	SenderInfo               *TransfersInitiateResponseSenderInfo `json:"senderInfo"`
	Comment                  string                               `json:"comment"`
}

type TransfersAuthorizeRequest struct {
	Reference         string `json:"reference"`
	AuthorizationCode string `json:"authorizationCode"`
}

type TransfersAuthorizeResponseSenderInfo struct {
	SourceAccountNumber string `json:"sourceAccountNumber"`
	SourceAccountName   string `json:"sourceAccountName"`
	SenderBankCode      string `json:"senderBankCode"`
}

type TransfersAuthorizeResponse struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	// Status of the transfer
	Status      string `json:"status"`
	DateCreated string `json:"dateCreated"`
	// Naira
	TotalFee                 json.Number                           `json:"totalFee"`
	DestinationAccountName   string                                `json:"destinationAccountName"`
	DestinationBankName      string                                `json:"destinationBankName"`
	DestinationAccountNumber string                                `json:"destinationAccountNumber"`
	DestinationBankCode      string                                `json:"destinationBankCode"`
	SenderInfo               *TransfersAuthorizeResponseSenderInfo `json:"senderInfo"`
	Comment                  string                                `json:"comment"`
}

type TransfersResendCodeRequest struct {
	Reference string `json:"reference"`
}

type TransfersResendCodeResponse struct {
	Message string `json:"message"`
}

type TransfersGetRequest struct {
	Reference string `json:"reference"`
}

type TransfersGetResponse struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	Narration string      `json:"narration"`
	Currency  string      `json:"currency"`
	// Naira
	Fee json.Number `json:"fee"`
	// Whether the transfer needed an authorization code
	TwoFaEnabled bool `json:"twoFaEnabled"`
	// Status of the transfer
	Status                   string `json:"status"`
	TransactionDescription   string `json:"transactionDescription"`
	TransactionReference     string `json:"transactionReference"`
	CreatedOn                string `json:"createdOn"`
	SourceAccountNumber      string `json:"sourceAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	DestinationBankName      string `json:"destinationBankName"`
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationBankCode      string `json:"destinationBankCode"`
	// Whether the given name differs slightly from the name at the bank
	Flagged bool `json:"flagged"`
}

type TransfersListRequest struct {
	PageNo   *int64 `json:"pageNo,omitempty"`
	PageSize *int64 `json:"pageSize,omitempty"`
}

type TransfersListResponseContent struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	Narration string      `json:"narration"`
	Currency  string      `json:"currency"`
	// Naira
	Fee json.Number `json:"fee"`
	// Whether the transfer needed an authorization code
	TwoFaEnabled bool `json:"twoFaEnabled"`
	// Status of the transfer
	Status                   string `json:"status"`
	TransactionDescription   string `json:"transactionDescription"`
	TransactionReference     string `json:"transactionReference"`
	CreatedOn                string `json:"createdOn"`
	SourceAccountNumber      string `json:"sourceAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	DestinationBankName      string `json:"destinationBankName"`
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationBankCode      string `json:"destinationBankCode"`
	// Whether the given name differs slightly from the name at the bank
	Flagged bool `json:"flagged"`
}

type TransfersListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListResponsePageable struct {
	Sort       TransfersListResponsePageableSort `json:"sort"`
	PageSize   int64                             `json:"pageSize"`
	PageNumber int64                             `json:"pageNumber"`
	Offset     int64                             `json:"offset"`
	Paged      bool                              `json:"paged"`
	Unpaged    bool                              `json:"unpaged"`
}

type TransfersListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListResponse struct {
	Content          []TransfersListResponseContent `json:"content"`
	Pageable         TransfersListResponsePageable  `json:"pageable"`
	Last             bool                           `json:"last"`
	First            bool                           `json:"first"`
	TotalElements    int64                          `json:"totalElements"`
	TotalPages       int64                          `json:"totalPages"`
	Sort             TransfersListResponseSort      `json:"sort"`
	NumberOfElements int64                          `json:"numberOfElements"`
	Size             int64                          `json:"size"`
	Number           int64                          `json:"number"`
	Empty            bool                           `json:"empty"`
}

type TransfersSearchRequest struct {
	// Wallet account number, of the merchant or of a customer
	SourceAccountNumber string `json:"sourceAccountNumber"`
	PageNo              *int64 `json:"pageNo,omitempty"`
	PageSize            *int64 `json:"pageSize,omitempty"`
	// Unix milliseconds or a date
	StartDate string `json:"startDate,omitempty"`
	// Unix milliseconds or a date
	EndDate    string `json:"endDate,omitempty"`
	AmountFrom string `json:"amountFrom,omitempty"`
	AmountTo   string `json:"amountTo,omitempty"`
}

type TransfersSearchResponseContent struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	Narration string      `json:"narration"`
	Currency  string      `json:"currency"`
	// Naira
	Fee json.Number `json:"fee"`
	// Whether the transfer needed an authorization code
	TwoFaEnabled bool `json:"twoFaEnabled"`
	// Status of the transfer
	Status                   string `json:"status"`
	TransactionDescription   string `json:"transactionDescription"`
	TransactionReference     string `json:"transactionReference"`
	CreatedOn                string `json:"createdOn"`
	SourceAccountNumber      string `json:"sourceAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	DestinationBankName      string `json:"destinationBankName"`
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationBankCode      string `json:"destinationBankCode"`
	// Whether the given name differs slightly from the name at the bank
	Flagged bool `json:"flagged"`
}

type TransfersSearchResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersSearchResponsePageable struct {
	Sort       TransfersSearchResponsePageableSort `json:"sort"`
	PageSize   int64                               `json:"pageSize"`
	PageNumber int64                               `json:"pageNumber"`
	Offset     int64                               `json:"offset"`
	Paged      bool                                `json:"paged"`
	Unpaged    bool                                `json:"unpaged"`
}

type TransfersSearchResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersSearchResponse struct {
	Content          []TransfersSearchResponseContent `json:"content"`
	Pageable         TransfersSearchResponsePageable  `json:"pageable"`
	Last             bool                             `json:"last"`
	First            bool                             `json:"first"`
	TotalElements    int64                            `json:"totalElements"`
	TotalPages       int64                            `json:"totalPages"`
	Sort             TransfersSearchResponseSort      `json:"sort"`
	NumberOfElements int64                            `json:"numberOfElements"`
	Size             int64                            `json:"size"`
	Number           int64                            `json:"number"`
	Empty            bool                             `json:"empty"`
}

type TransfersInitiateBatchRequestTransactionList struct {
	// Naira, as a number or decimal string with at most 2 decimals
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	// Defaults to the batch’s narration
	Narration string `json:"narration,omitempty"`
	// 3 to 6 digits
	DestinationBankCode string `json:"destinationBankCode"`
	// 10 digits
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	// Defaults to the name at the bank
	DestinationAccountName string `json:"destinationAccountName,omitempty"`
	Currency               string `json:"currency,omitempty"`
}

type TransfersInitiateBatchRequest struct {
	Title          string `json:"title"`
	BatchReference string `json:"batchReference"`
	Narration      string `json:"narration"`
	// Wallet account number, of the merchant or of a customer
	SourceAccountNumber string `json:"sourceAccountNumber"`
	OnValidationFailure string `json:"onValidationFailure,omitempty"`
	// Send a progress email each time this percentage of the batch is done
	NotificationInterval *int64                                         `json:"notificationInterval,omitempty"`
	TransactionList      []TransfersInitiateBatchRequestTransactionList `json:"transactionList"`
}

type TransfersInitiateBatchResponse struct {
	// Naira
	TotalAmount json.Number `json:"totalAmount"`
	// Naira
	TotalFee                  json.Number `json:"totalFee"`
	BatchReference            string      `json:"batchReference"`
	TransactionBatchReference string      `json:"transactionBatchReference"`
	BatchStatus               string      `json:"batchStatus"`
	TotalTransactionsCount    int64       `json:"totalTransactionsCount"`
	DateCreated               string      `json:"dateCreated"`
}

type TransfersAuthorizeBatchRequest struct {
	Reference         string `json:"reference"`
	AuthorizationCode string `json:"authorizationCode"`
}

type TransfersAuthorizeBatchResponse struct {
	// Naira
	TotalAmount json.Number `json:"totalAmount"`
	// Naira
	TotalFee                  json.Number `json:"totalFee"`
	BatchReference            string      `json:"batchReference"`
	TransactionBatchReference string      `json:"transactionBatchReference"`
	BatchStatus               string      `json:"batchStatus"`
	TotalTransactionsCount    int64       `json:"totalTransactionsCount"`
	DateCreated               string      `json:"dateCreated"`
}

type TransfersResendBatchCodeRequest struct {
	BatchReference string `json:"batchReference"`
}

type TransfersResendBatchCodeResponse struct {
	Message string `json:"message"`
}

type TransfersGetBatchRequest struct {
	Reference string `json:"reference"`
}

type TransfersGetBatchResponse struct {
	Title string `json:"title"`
	// Naira
	TotalAmount json.Number `json:"totalAmount"`
	// Naira
	TotalFee               json.Number `json:"totalFee"`
	BatchReference         string      `json:"batchReference"`
	TotalTransactionsCount int64       `json:"totalTransactionsCount"`
	TotalTransactions      int64       `json:"totalTransactions"`
	FailedCount            int64       `json:"failedCount"`
	SuccessfulCount        int64       `json:"successfulCount"`
	PendingCount           int64       `json:"pendingCount"`
	// Naira
	PendingAmount json.Number `json:"pendingAmount"`
	// Naira
	FailedAmount json.Number `json:"failedAmount"`
	// Naira
	SuccessfulAmount json.Number `json:"successfulAmount"`
	BatchStatus      string      `json:"batchStatus"`
	DateCreated      string      `json:"dateCreated"`
}

type TransfersListBatchRequest struct {
	BatchReference string `json:"batchReference"`
	PageNo         *int64 `json:"pageNo,omitempty"`
	PageSize       *int64 `json:"pageSize,omitempty"`
}

type TransfersListBatchResponseContent struct {
	// Naira
	Amount    json.Number `json:"amount"`
	Reference string      `json:"reference"`
	Narration string      `json:"narration"`
	Currency  string      `json:"currency"`
	// Naira
	Fee json.Number `json:"fee"`
	// Whether the transfer needed an authorization code
	TwoFaEnabled bool `json:"twoFaEnabled"`
	// Status of the transfer
	Status                   string `json:"status"`
	TransactionDescription   string `json:"transactionDescription"`
	TransactionReference     string `json:"transactionReference"`
	CreatedOn                string `json:"createdOn"`
	SourceAccountNumber      string `json:"sourceAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	DestinationBankName      string `json:"destinationBankName"`
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationBankCode      string `json:"destinationBankCode"`
	// Whether the given name differs slightly from the name at the bank
	Flagged bool `json:"flagged"`
}

type TransfersListBatchResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListBatchResponsePageable struct {
	Sort       TransfersListBatchResponsePageableSort `json:"sort"`
	PageSize   int64                                  `json:"pageSize"`
	PageNumber int64                                  `json:"pageNumber"`
	Offset     int64                                  `json:"offset"`
	Paged      bool                                   `json:"paged"`
	Unpaged    bool                                   `json:"unpaged"`
}

type TransfersListBatchResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListBatchResponse struct {
	Content          []TransfersListBatchResponseContent `json:"content"`
	Pageable         TransfersListBatchResponsePageable  `json:"pageable"`
	Last             bool                                `json:"last"`
	First            bool                                `json:"first"`
	TotalElements    int64                               `json:"totalElements"`
	TotalPages       int64                               `json:"totalPages"`
	Sort             TransfersListBatchResponseSort      `json:"sort"`
	NumberOfElements int64                               `json:"numberOfElements"`
	Size             int64                               `json:"size"`
	Number           int64                               `json:"number"`
	Empty            bool                                `json:"empty"`
}

type TransfersListBatchesRequest struct {
	PageNo   *int64 `json:"pageNo,omitempty"`
	PageSize *int64 `json:"pageSize,omitempty"`
	// Wallet account number, of the merchant or of a customer
	SourceAccountNumber string `json:"sourceAccountNumber,omitempty"`
}

type TransfersListBatchesResponseContent struct {
	// Naira
	TotalAmount json.Number `json:"totalAmount"`
	// Naira
	TotalFee                  json.Number `json:"totalFee"`
	BatchReference            string      `json:"batchReference"`
	TransactionBatchReference string      `json:"transactionBatchReference"`
	BatchStatus               string      `json:"batchStatus"`
	TotalTransactionsCount    int64       `json:"totalTransactionsCount"`
	DateCreated               string      `json:"dateCreated"`
}

type TransfersListBatchesResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListBatchesResponsePageable struct {
	Sort       TransfersListBatchesResponsePageableSort `json:"sort"`
	PageSize   int64                                    `json:"pageSize"`
	PageNumber int64                                    `json:"pageNumber"`
	Offset     int64                                    `json:"offset"`
	Paged      bool                                     `json:"paged"`
	Unpaged    bool                                     `json:"unpaged"`
}

type TransfersListBatchesResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type TransfersListBatchesResponse struct {
	Content          []TransfersListBatchesResponseContent `json:"content"`
	Pageable         TransfersListBatchesResponsePageable  `json:"pageable"`
	Last             bool                                  `json:"last"`
	First            bool                                  `json:"first"`
	TotalElements    int64                                 `json:"totalElements"`
	TotalPages       int64                                 `json:"totalPages"`
	Sort             TransfersListBatchesResponseSort      `json:"sort"`
	NumberOfElements int64                                 `json:"numberOfElements"`
	Size             int64                                 `json:"size"`
	Number           int64                                 `json:"number"`
	Empty            bool                                  `json:"empty"`
}

type TransfersGetBalanceRequest struct {
	// Wallet account number, of the merchant or of a customer
	AccountNumber string `json:"accountNumber"`
}

type TransfersGetBalanceResponse struct {
	// Naira
	AvailableBalance json.Number `json:"availableBalance"`
	// Naira
	LedgerBalance json.Number `json:"ledgerBalance"`
}

type MobileInitRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type MobileInitRequest struct {
	ApiKey            string `json:"apiKey"`
	CollectionChannel string `json:"collectionChannel,omitempty"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount             json.Number `json:"amount"`
	CustomerName       string      `json:"customerName,omitempty"`
	CustomerEmail      string      `json:"customerEmail"`
	PaymentReference   string      `json:"paymentReference"`
	PaymentDescription string      `json:"paymentDescription,omitempty"`
	CurrencyCode       string      `json:"currencyCode"`
	// 12 digits
	ContractCode      string                               `json:"contractCode"`
	PaymentMethods    []string                             `json:"paymentMethods,omitempty"`
	IncomeSplitConfig []MobileInitRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
	MetaData          map[string]any                       `json:"metaData,omitempty"`
	Metadata          map[string]any                       `json:"metadata,omitempty"`
}

type MobileInitResponse struct {
	TransactionReference string   `json:"transactionReference"`
	PaymentReference     string   `json:"paymentReference"`
	MerchantName         string   `json:"merchantName"`
	MerchantLogoUrl      string   `json:"merchantLogoUrl"`
	EnabledPaymentMethod []string `json:"enabledPaymentMethod"`
}

type MobileQueryRequest struct {
	ApiKey               string `json:"apiKey"`
	TransactionReference string `json:"transactionReference"`
}

type MobileQueryResponse struct {
	PaymentMethod string `json:"paymentMethod"`
	CreatedOn     string `json:"createdOn"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays
	Fee                  json.Number `json:"fee"`
	CurrencyCode         string      `json:"currencyCode"`
	CompletedOn          string      `json:"completedOn"`
	CustomerName         string      `json:"customerName"`
	CustomerEmail        string      `json:"customerEmail"`
	PaymentDescription   string      `json:"paymentDescription"`
	PaymentStatus        string      `json:"paymentStatus"`
	TransactionReference string      `json:"transactionReference"`
	PaymentReference     string      `json:"paymentReference"`
	// Naira
	PayableAmount json.Number `json:"payableAmount"`
	// Naira
	AmountPaid   json.Number `json:"amountPaid"`
	Completed    bool        `json:"completed"`
	Flagged      bool        `json:"flagged"`
	ProviderCode string      `json:"providerCode"`
	MerchantCode string      `json:"merchantCode"`
}

type MobileTransferRequest struct {
	TransactionReference string `json:"transactionReference"`
	ApiKey               string `json:"apiKey"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
	BankCode             string `json:"bankCode,omitempty"`
}

type MobileTransferResponse struct {
	AccountNumber          string `json:"accountNumber"`
	AccountName            string `json:"accountName"`
	BankName               string `json:"bankName"`
	BankCode               string `json:"bankCode"`
	AccountDurationSeconds int64  `json:"accountDurationSeconds"`
	UssdPayment            string `json:"ussdPayment"`
	RequestTime            string `json:"requestTime"`
	ExpiresOn              string `json:"expiresOn"`
	TransactionReference   string `json:"transactionReference"`
	PaymentReference       string `json:"paymentReference"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable       json.Number    `json:"totalPayable"`
	CollectionChannel  string         `json:"collectionChannel"`
	ProductInformation map[string]any `json:"productInformation"`
}

type MobileUssdRequest struct {
	TransactionReference string `json:"transactionReference"`
	ApiKey               string `json:"apiKey"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
	BankUssdCode         string `json:"bankUssdCode"`
}

type MobileUssdResponse struct {
	UssdCode string `json:"ussdCode"`
	// Account number that the code pays into
	PaymentCode          string `json:"paymentCode"`
	ProviderReference    string `json:"providerReference"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number `json:"authorizedAmount"`
}

type MobileInitCardRequest struct {
	TransactionReference string `json:"transactionReference"`
	ApiKey               string `json:"apiKey"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
}

type MobileInitCardResponse struct {
	// Naira
	TotalAmountPayable json.Number `json:"totalAmountPayable"`
	// Naira
	Amount     json.Number `json:"amount"`
	PaymentFee json.Number `json:"paymentFee"`
}

type MobileCardRequirementsRequest struct {
	TransactionReference string `json:"transactionReference,omitempty"`
	ApiKey               string `json:"apiKey,omitempty"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
	Pan                  string `json:"pan"`
}

type MobileCardRequirementsResponse struct {
	RequirePin bool `json:"requirePin"`
}

type MobileChargeRequestCard struct {
	// 13 to 19 digits
	Number string `json:"number"`
	// Card PIN; leave it out if the card needs none
	Pin         string `json:"pin,omitempty"`
	ExpiryMonth string `json:"expiryMonth"`
	ExpiryYear  string `json:"expiryYear"`
	Cvv         string `json:"cvv"`
}

type MobileChargeRequestDeviceInformation struct {
	HttpBrowserLanguage          any `json:"httpBrowserLanguage,omitempty"`
	HttpBrowserJavaEnabled       any `json:"httpBrowserJavaEnabled,omitempty"`
	HttpBrowserJavaScriptEnabled any `json:"httpBrowserJavaScriptEnabled,omitempty"`
	HttpBrowserColorDepth        any `json:"httpBrowserColorDepth,omitempty"`
	HttpBrowserScreenHeight      any `json:"httpBrowserScreenHeight,omitempty"`
	HttpBrowserScreenWidth       any `json:"httpBrowserScreenWidth,omitempty"`
	HttpBrowserTimeDifference    any `json:"httpBrowserTimeDifference,omitempty"`
	UserAgentBrowserValue        any `json:"userAgentBrowserValue,omitempty"`
}

type MobileChargeRequest struct {
	TransactionReference string                                `json:"transactionReference"`
	ApiKey               string                                `json:"apiKey"`
	CollectionChannel    string                                `json:"collectionChannel,omitempty"`
	Card                 MobileChargeRequestCard               `json:"card"`
	DeviceInformation    *MobileChargeRequestDeviceInformation `json:"deviceInformation,omitempty"`
}

type MobileChargeResponseOtpData struct {
	// `tokenId` for the authorization
	Id      string `json:"id"`
	Message string `json:"message"`
	// Opaque value
	AuthData string `json:"authData"`
}

type MobileChargeResponseSecure3dData struct {
	Id string `json:"id"`
	// URL to redirect the customer’s browser to
	RedirectUrl string `json:"redirectUrl"`
	// URL of the issuer’s own page
	AcsUrl string `json:"acsUrl"`
	// HTTP method for acsUrl
	Method string `json:"method"`
}

type MobileChargeResponse struct {
	Status               string `json:"status"`
	Message              string `json:"message"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number                       `json:"authorizedAmount"`
	OtpData          *MobileChargeResponseOtpData      `json:"otpData"`
	Secure3dData     *MobileChargeResponseSecure3dData `json:"secure3dData"`
	// Never given to apps
	CardToken any `json:"cardToken"`
}

type MobileOtpRequest struct {
	TransactionReference string `json:"transactionReference"`
	ApiKey               string `json:"apiKey"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
	// `otpData.id` of the charge
	TokenId string `json:"tokenId"`
	Token   string `json:"token"`
}

type MobileOtpResponseOtpData struct {
	// `tokenId` for the authorization
	Id      string `json:"id"`
	Message string `json:"message"`
	// Opaque value
	AuthData string `json:"authData"`
}

type MobileOtpResponseSecure3dData struct {
	Id string `json:"id"`
	// URL to redirect the customer’s browser to
	RedirectUrl string `json:"redirectUrl"`
	// URL of the issuer’s own page
	AcsUrl string `json:"acsUrl"`
	// HTTP method for acsUrl
	Method string `json:"method"`
}

type MobileOtpResponse struct {
	Status               string `json:"status"`
	Message              string `json:"message"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number                    `json:"authorizedAmount"`
	OtpData          *MobileOtpResponseOtpData      `json:"otpData"`
	Secure3dData     *MobileOtpResponseSecure3dData `json:"secure3dData"`
	PaymentStatus    string                         `json:"paymentStatus"`
	// Naira
	AmountPaid   json.Number `json:"amountPaid"`
	CurrencyPaid string      `json:"currencyPaid"`
}

type MobileListBanksRequest struct{}

type MobileListBanksResponse struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

type MobileOtherMethodRequest struct {
	ApiKey string `json:"apiKey,omitempty"`
}

type MobileOtherMethodResponse struct {
	// Never returned, because the call is always rejected
	Status string `json:"status"`
}

type CheckoutGetRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string `json:"checkoutReference"`
}

type CheckoutGetResponseAccount struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
}

type CheckoutGetResponseCard struct {
	Step  string `json:"step"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
	// Value to send with the one-time code, if one is required
	TokenId string `json:"tokenId"`
	// Remaining attempts for the one-time code
	TriesLeft int64 `json:"triesLeft"`
	// URL of the issuer’s page for the customer
	RedirectUrl string `json:"redirectUrl"`
	Decline     string `json:"decline"`
}

type CheckoutGetResponseInvoiceItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type CheckoutGetResponseInvoice struct {
	CustomerName     string                            `json:"customerName"`
	InvoiceReference string                            `json:"invoiceReference"`
	Items            []CheckoutGetResponseInvoiceItems `json:"items"`
}

type CheckoutGetResponseReturns struct {
	// Naira
	Amount json.Number `json:"amount"`
	Reason string      `json:"reason"`
	State  string      `json:"state"`
}

type CheckoutGetResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	// URL of the merchant’s logo
	MerchantLogo string `json:"merchantLogo"`
	// Merchant’s contact for customers
	SupportContact     string `json:"supportContact"`
	PaymentDescription string `json:"paymentDescription"`
	CurrencyCode       string `json:"currencyCode"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays on top of the amount
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable json.Number `json:"totalPayable"`
	// Naira; amount received so far
	AmountPaid    json.Number `json:"amountPaid"`
	PaymentStatus string      `json:"paymentStatus"`
	// Whether the transaction is final
	Completed bool `json:"completed"`
	// Payment methods available now
	PaymentMethods []string `json:"paymentMethods"`
	// Payment method used
	PaymentMethod string `json:"paymentMethod"`
	// Unix milliseconds
	CreatedOn int64 `json:"createdOn"`
	// Unix milliseconds
	PaidOn int64 `json:"paidOn"`
	// Unix milliseconds
	ExpiresOn int64 `json:"expiresOn"`
	// Unix milliseconds
	Now     int64                       `json:"now"`
	Account *CheckoutGetResponseAccount `json:"account"`
	Card    *CheckoutGetResponseCard    `json:"card"`
	// Payer’s name, once paid
	Payer         string `json:"payer"`
	ReceiptNumber string `json:"receiptNumber"`
	// URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt
	ReceiptProof string                      `json:"receiptProof"`
	Invoice      *CheckoutGetResponseInvoice `json:"invoice"`
	// Whether a card was charged and its issuer has not responded yet
	CardInProgress bool `json:"cardInProgress"`
	// Whether the merchant is not accepting payments at the moment; the page is then read-only
	Paused bool `json:"paused"`
	// Whether the page may ask the customer to save the card
	CanSaveCard bool `json:"canSaveCard"`
	// Money that was received but rejected, newest first
	Returns []CheckoutGetResponseReturns `json:"returns"`
	// Merchant’s `redirectUrl` with `paymentReference` appended
	ReturnUrl string `json:"returnUrl"`
}

type CheckoutTransferRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string `json:"checkoutReference"`
}

type CheckoutTransferResponseAccount struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
}

type CheckoutTransferResponseCard struct {
	Step  string `json:"step"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
	// Value to send with the one-time code, if one is required
	TokenId string `json:"tokenId"`
	// Remaining attempts for the one-time code
	TriesLeft int64 `json:"triesLeft"`
	// URL of the issuer’s page for the customer
	RedirectUrl string `json:"redirectUrl"`
	Decline     string `json:"decline"`
}

type CheckoutTransferResponseInvoiceItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type CheckoutTransferResponseInvoice struct {
	CustomerName     string                                 `json:"customerName"`
	InvoiceReference string                                 `json:"invoiceReference"`
	Items            []CheckoutTransferResponseInvoiceItems `json:"items"`
}

type CheckoutTransferResponseReturns struct {
	// Naira
	Amount json.Number `json:"amount"`
	Reason string      `json:"reason"`
	State  string      `json:"state"`
}

type CheckoutTransferResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	// URL of the merchant’s logo
	MerchantLogo string `json:"merchantLogo"`
	// Merchant’s contact for customers
	SupportContact     string `json:"supportContact"`
	PaymentDescription string `json:"paymentDescription"`
	CurrencyCode       string `json:"currencyCode"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays on top of the amount
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable json.Number `json:"totalPayable"`
	// Naira; amount received so far
	AmountPaid    json.Number `json:"amountPaid"`
	PaymentStatus string      `json:"paymentStatus"`
	// Whether the transaction is final
	Completed bool `json:"completed"`
	// Payment methods available now
	PaymentMethods []string `json:"paymentMethods"`
	// Payment method used
	PaymentMethod string `json:"paymentMethod"`
	// Unix milliseconds
	CreatedOn int64 `json:"createdOn"`
	// Unix milliseconds
	PaidOn int64 `json:"paidOn"`
	// Unix milliseconds
	ExpiresOn int64 `json:"expiresOn"`
	// Unix milliseconds
	Now     int64                            `json:"now"`
	Account *CheckoutTransferResponseAccount `json:"account"`
	Card    *CheckoutTransferResponseCard    `json:"card"`
	// Payer’s name, once paid
	Payer         string `json:"payer"`
	ReceiptNumber string `json:"receiptNumber"`
	// URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt
	ReceiptProof string                           `json:"receiptProof"`
	Invoice      *CheckoutTransferResponseInvoice `json:"invoice"`
	// Whether a card was charged and its issuer has not responded yet
	CardInProgress bool `json:"cardInProgress"`
	// Whether the merchant is not accepting payments at the moment; the page is then read-only
	Paused bool `json:"paused"`
	// Whether the page may ask the customer to save the card
	CanSaveCard bool `json:"canSaveCard"`
	// Money that was received but rejected, newest first
	Returns []CheckoutTransferResponseReturns `json:"returns"`
	// Merchant’s `redirectUrl` with `paymentReference` appended
	ReturnUrl string `json:"returnUrl"`
}

type CheckoutUssdRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string `json:"checkoutReference"`
	BankCode          string `json:"bankCode"`
}

type CheckoutUssdResponseCheckoutAccount struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
}

type CheckoutUssdResponseCheckoutCard struct {
	Step  string `json:"step"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
	// Value to send with the one-time code, if one is required
	TokenId string `json:"tokenId"`
	// Remaining attempts for the one-time code
	TriesLeft int64 `json:"triesLeft"`
	// URL of the issuer’s page for the customer
	RedirectUrl string `json:"redirectUrl"`
	Decline     string `json:"decline"`
}

type CheckoutUssdResponseCheckoutInvoiceItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type CheckoutUssdResponseCheckoutInvoice struct {
	CustomerName     string                                     `json:"customerName"`
	InvoiceReference string                                     `json:"invoiceReference"`
	Items            []CheckoutUssdResponseCheckoutInvoiceItems `json:"items"`
}

type CheckoutUssdResponseCheckoutReturns struct {
	// Naira
	Amount json.Number `json:"amount"`
	Reason string      `json:"reason"`
	State  string      `json:"state"`
}

type CheckoutUssdResponseCheckout struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	// URL of the merchant’s logo
	MerchantLogo string `json:"merchantLogo"`
	// Merchant’s contact for customers
	SupportContact     string `json:"supportContact"`
	PaymentDescription string `json:"paymentDescription"`
	CurrencyCode       string `json:"currencyCode"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays on top of the amount
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable json.Number `json:"totalPayable"`
	// Naira; amount received so far
	AmountPaid    json.Number `json:"amountPaid"`
	PaymentStatus string      `json:"paymentStatus"`
	// Whether the transaction is final
	Completed bool `json:"completed"`
	// Payment methods available now
	PaymentMethods []string `json:"paymentMethods"`
	// Payment method used
	PaymentMethod string `json:"paymentMethod"`
	// Unix milliseconds
	CreatedOn int64 `json:"createdOn"`
	// Unix milliseconds
	PaidOn int64 `json:"paidOn"`
	// Unix milliseconds
	ExpiresOn int64 `json:"expiresOn"`
	// Unix milliseconds
	Now     int64                                `json:"now"`
	Account *CheckoutUssdResponseCheckoutAccount `json:"account"`
	Card    *CheckoutUssdResponseCheckoutCard    `json:"card"`
	// Payer’s name, once paid
	Payer         string `json:"payer"`
	ReceiptNumber string `json:"receiptNumber"`
	// URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt
	ReceiptProof string                               `json:"receiptProof"`
	Invoice      *CheckoutUssdResponseCheckoutInvoice `json:"invoice"`
	// Whether a card was charged and its issuer has not responded yet
	CardInProgress bool `json:"cardInProgress"`
	// Whether the merchant is not accepting payments at the moment; the page is then read-only
	Paused bool `json:"paused"`
	// Whether the page may ask the customer to save the card
	CanSaveCard bool `json:"canSaveCard"`
	// Money that was received but rejected, newest first
	Returns []CheckoutUssdResponseCheckoutReturns `json:"returns"`
	// Merchant’s `redirectUrl` with `paymentReference` appended
	ReturnUrl string `json:"returnUrl"`
}

type CheckoutUssdResponse struct {
	Checkout    CheckoutUssdResponseCheckout `json:"checkout"`
	UssdPayment string                       `json:"ussdPayment"`
}

type CheckoutCardRequestCard struct {
	// 13 to 19 digits
	Number string `json:"number"`
	// Card PIN; leave it out if the card needs none
	Pin         string `json:"pin,omitempty"`
	ExpiryMonth string `json:"expiryMonth"`
	ExpiryYear  string `json:"expiryYear"`
	Cvv         string `json:"cvv"`
}

type CheckoutCardRequestDeviceInformation struct {
	HttpBrowserLanguage          any `json:"httpBrowserLanguage,omitempty"`
	HttpBrowserJavaEnabled       any `json:"httpBrowserJavaEnabled,omitempty"`
	HttpBrowserJavaScriptEnabled any `json:"httpBrowserJavaScriptEnabled,omitempty"`
	HttpBrowserColorDepth        any `json:"httpBrowserColorDepth,omitempty"`
	HttpBrowserScreenHeight      any `json:"httpBrowserScreenHeight,omitempty"`
	HttpBrowserScreenWidth       any `json:"httpBrowserScreenWidth,omitempty"`
	HttpBrowserTimeDifference    any `json:"httpBrowserTimeDifference,omitempty"`
	UserAgentBrowserValue        any `json:"userAgentBrowserValue,omitempty"`
}

type CheckoutCardRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string                                `json:"checkoutReference"`
	Card              CheckoutCardRequestCard               `json:"card"`
	DeviceInformation *CheckoutCardRequestDeviceInformation `json:"deviceInformation,omitempty"`
	SaveCard          string                                `json:"saveCard,omitempty"`
}

type CheckoutCardResponseOtp struct {
	TokenId string `json:"tokenId"`
	Message string `json:"message"`
}

type CheckoutCardResponseCheckoutAccount struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
}

type CheckoutCardResponseCheckoutCard struct {
	Step  string `json:"step"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
	// Value to send with the one-time code, if one is required
	TokenId string `json:"tokenId"`
	// Remaining attempts for the one-time code
	TriesLeft int64 `json:"triesLeft"`
	// URL of the issuer’s page for the customer
	RedirectUrl string `json:"redirectUrl"`
	Decline     string `json:"decline"`
}

type CheckoutCardResponseCheckoutInvoiceItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type CheckoutCardResponseCheckoutInvoice struct {
	CustomerName     string                                     `json:"customerName"`
	InvoiceReference string                                     `json:"invoiceReference"`
	Items            []CheckoutCardResponseCheckoutInvoiceItems `json:"items"`
}

type CheckoutCardResponseCheckoutReturns struct {
	// Naira
	Amount json.Number `json:"amount"`
	Reason string      `json:"reason"`
	State  string      `json:"state"`
}

type CheckoutCardResponseCheckout struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	// URL of the merchant’s logo
	MerchantLogo string `json:"merchantLogo"`
	// Merchant’s contact for customers
	SupportContact     string `json:"supportContact"`
	PaymentDescription string `json:"paymentDescription"`
	CurrencyCode       string `json:"currencyCode"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays on top of the amount
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable json.Number `json:"totalPayable"`
	// Naira; amount received so far
	AmountPaid    json.Number `json:"amountPaid"`
	PaymentStatus string      `json:"paymentStatus"`
	// Whether the transaction is final
	Completed bool `json:"completed"`
	// Payment methods available now
	PaymentMethods []string `json:"paymentMethods"`
	// Payment method used
	PaymentMethod string `json:"paymentMethod"`
	// Unix milliseconds
	CreatedOn int64 `json:"createdOn"`
	// Unix milliseconds
	PaidOn int64 `json:"paidOn"`
	// Unix milliseconds
	ExpiresOn int64 `json:"expiresOn"`
	// Unix milliseconds
	Now     int64                                `json:"now"`
	Account *CheckoutCardResponseCheckoutAccount `json:"account"`
	Card    *CheckoutCardResponseCheckoutCard    `json:"card"`
	// Payer’s name, once paid
	Payer         string `json:"payer"`
	ReceiptNumber string `json:"receiptNumber"`
	// URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt
	ReceiptProof string                               `json:"receiptProof"`
	Invoice      *CheckoutCardResponseCheckoutInvoice `json:"invoice"`
	// Whether a card was charged and its issuer has not responded yet
	CardInProgress bool `json:"cardInProgress"`
	// Whether the merchant is not accepting payments at the moment; the page is then read-only
	Paused bool `json:"paused"`
	// Whether the page may ask the customer to save the card
	CanSaveCard bool `json:"canSaveCard"`
	// Money that was received but rejected, newest first
	Returns []CheckoutCardResponseCheckoutReturns `json:"returns"`
	// Merchant’s `redirectUrl` with `paymentReference` appended
	ReturnUrl string `json:"returnUrl"`
}

type CheckoutCardResponse struct {
	Status  string                   `json:"status"`
	Message string                   `json:"message"`
	Otp     *CheckoutCardResponseOtp `json:"otp"`
	// URL of the issuer’s page, if the customer must go there next
	RedirectUrl string                       `json:"redirectUrl"`
	Checkout    CheckoutCardResponseCheckout `json:"checkout"`
}

type CheckoutOtpRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string `json:"checkoutReference"`
	// `otp.tokenId` of the charge
	TokenId string `json:"tokenId"`
	// One-time code
	Token string `json:"token"`
}

type CheckoutOtpResponseOtp struct {
	TokenId string `json:"tokenId"`
	Message string `json:"message"`
}

type CheckoutOtpResponseCheckoutAccount struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
}

type CheckoutOtpResponseCheckoutCard struct {
	Step  string `json:"step"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
	// Value to send with the one-time code, if one is required
	TokenId string `json:"tokenId"`
	// Remaining attempts for the one-time code
	TriesLeft int64 `json:"triesLeft"`
	// URL of the issuer’s page for the customer
	RedirectUrl string `json:"redirectUrl"`
	Decline     string `json:"decline"`
}

type CheckoutOtpResponseCheckoutInvoiceItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type CheckoutOtpResponseCheckoutInvoice struct {
	CustomerName     string                                    `json:"customerName"`
	InvoiceReference string                                    `json:"invoiceReference"`
	Items            []CheckoutOtpResponseCheckoutInvoiceItems `json:"items"`
}

type CheckoutOtpResponseCheckoutReturns struct {
	// Naira
	Amount json.Number `json:"amount"`
	Reason string      `json:"reason"`
	State  string      `json:"state"`
}

type CheckoutOtpResponseCheckout struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	// URL of the merchant’s logo
	MerchantLogo string `json:"merchantLogo"`
	// Merchant’s contact for customers
	SupportContact     string `json:"supportContact"`
	PaymentDescription string `json:"paymentDescription"`
	CurrencyCode       string `json:"currencyCode"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira; fee that the customer pays on top of the amount
	Fee json.Number `json:"fee"`
	// Naira
	TotalPayable json.Number `json:"totalPayable"`
	// Naira; amount received so far
	AmountPaid    json.Number `json:"amountPaid"`
	PaymentStatus string      `json:"paymentStatus"`
	// Whether the transaction is final
	Completed bool `json:"completed"`
	// Payment methods available now
	PaymentMethods []string `json:"paymentMethods"`
	// Payment method used
	PaymentMethod string `json:"paymentMethod"`
	// Unix milliseconds
	CreatedOn int64 `json:"createdOn"`
	// Unix milliseconds
	PaidOn int64 `json:"paidOn"`
	// Unix milliseconds
	ExpiresOn int64 `json:"expiresOn"`
	// Unix milliseconds
	Now     int64                               `json:"now"`
	Account *CheckoutOtpResponseCheckoutAccount `json:"account"`
	Card    *CheckoutOtpResponseCheckoutCard    `json:"card"`
	// Payer’s name, once paid
	Payer         string `json:"payer"`
	ReceiptNumber string `json:"receiptNumber"`
	// URL of the receipt’s QR code, with a signed statement of the payment after #; null without a receipt
	ReceiptProof string                              `json:"receiptProof"`
	Invoice      *CheckoutOtpResponseCheckoutInvoice `json:"invoice"`
	// Whether a card was charged and its issuer has not responded yet
	CardInProgress bool `json:"cardInProgress"`
	// Whether the merchant is not accepting payments at the moment; the page is then read-only
	Paused bool `json:"paused"`
	// Whether the page may ask the customer to save the card
	CanSaveCard bool `json:"canSaveCard"`
	// Money that was received but rejected, newest first
	Returns []CheckoutOtpResponseCheckoutReturns `json:"returns"`
	// Merchant’s `redirectUrl` with `paymentReference` appended
	ReturnUrl string `json:"returnUrl"`
}

type CheckoutOtpResponse struct {
	Status  string                  `json:"status"`
	Message string                  `json:"message"`
	Otp     *CheckoutOtpResponseOtp `json:"otp"`
	// URL of the issuer’s page, if the customer must go there next
	RedirectUrl string                      `json:"redirectUrl"`
	Checkout    CheckoutOtpResponseCheckout `json:"checkout"`
}

type CheckoutMailReceiptRequest struct {
	// Last part of `checkoutUrl`, after `/checkout/`: transaction reference, dot, key
	CheckoutReference string `json:"checkoutReference"`
	// Language of the email: en, pcm, ha, yo or ig; English for any other value
	Language string `json:"language,omitempty"`
}

type CheckoutMailReceiptResponse struct {
	ReceiptNumber string `json:"receiptNumber"`
}

type CheckoutCheckReceiptRequest struct {
	// Signed statement: the part of `receiptProof` after #
	Receipt string `json:"receipt"`
}

type CheckoutCheckReceiptResponse struct {
	TransactionReference string `json:"transactionReference"`
	CurrencyCode         string `json:"currencyCode"`
	// Naira
	AmountPaid json.Number `json:"amountPaid"`
	// Naira
	AmountRefunded json.Number `json:"amountRefunded"`
	// Naira
	AmountReversed json.Number `json:"amountReversed"`
	// Unix milliseconds
	Now int64 `json:"now"`
}

type CheckoutInlineRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type CheckoutInlineRequest struct {
	ApiKey string `json:"apiKey"`
	// 12 digits
	ContractCode string `json:"contractCode"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount             json.Number                              `json:"amount"`
	Currency           string                                   `json:"currency"`
	Reference          string                                   `json:"reference"`
	CustomerFullName   string                                   `json:"customerFullName,omitempty"`
	CustomerName       string                                   `json:"customerName,omitempty"`
	CustomerEmail      string                                   `json:"customerEmail"`
	PaymentDescription string                                   `json:"paymentDescription,omitempty"`
	PaymentMethods     []string                                 `json:"paymentMethods,omitempty"`
	IncomeSplitConfig  []CheckoutInlineRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
	Metadata           map[string]any                           `json:"metadata,omitempty"`
	MetaData           map[string]any                           `json:"metaData,omitempty"`
	// HMAC-SHA-512 with the secret key, computed on the merchant’s server, of `contractCode|reference|amount|currency|incomeSplitConfig`: the amount with two decimals, the splits as JSON with sorted keys and no whitespace, `[]` if there are none
	Signature string `json:"signature,omitempty"`
}

type CheckoutInlineResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	MerchantName         string `json:"merchantName"`
	CheckoutUrl          string `json:"checkoutUrl"`
}

type CardsChargeRequestCard struct {
	// 13 to 19 digits
	Number string `json:"number"`
	// Card PIN; leave it out if the card needs none
	Pin         string `json:"pin,omitempty"`
	ExpiryMonth string `json:"expiryMonth"`
	ExpiryYear  string `json:"expiryYear"`
	Cvv         string `json:"cvv"`
}

type CardsChargeRequestDeviceInformation struct {
	HttpBrowserLanguage          any `json:"httpBrowserLanguage,omitempty"`
	HttpBrowserJavaEnabled       any `json:"httpBrowserJavaEnabled,omitempty"`
	HttpBrowserJavaScriptEnabled any `json:"httpBrowserJavaScriptEnabled,omitempty"`
	HttpBrowserColorDepth        any `json:"httpBrowserColorDepth,omitempty"`
	HttpBrowserScreenHeight      any `json:"httpBrowserScreenHeight,omitempty"`
	HttpBrowserScreenWidth       any `json:"httpBrowserScreenWidth,omitempty"`
	HttpBrowserTimeDifference    any `json:"httpBrowserTimeDifference,omitempty"`
	UserAgentBrowserValue        any `json:"userAgentBrowserValue,omitempty"`
}

type CardsChargeRequest struct {
	TransactionReference string                               `json:"transactionReference"`
	CollectionChannel    string                               `json:"collectionChannel,omitempty"`
	Card                 CardsChargeRequestCard               `json:"card"`
	DeviceInformation    *CardsChargeRequestDeviceInformation `json:"deviceInformation,omitempty"`
}

type CardsChargeResponseOtpData struct {
	// `tokenId` for the authorization
	Id      string `json:"id"`
	Message string `json:"message"`
	// Opaque value
	AuthData string `json:"authData"`
}

type CardsChargeResponseSecure3dData struct {
	Id string `json:"id"`
	// URL to redirect the customer’s browser to
	RedirectUrl string `json:"redirectUrl"`
	// URL of the issuer’s own page
	AcsUrl string `json:"acsUrl"`
	// HTTP method for acsUrl
	Method string `json:"method"`
}

type CardsChargeResponse struct {
	Status               string `json:"status"`
	Message              string `json:"message"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number                      `json:"authorizedAmount"`
	OtpData          *CardsChargeResponseOtpData      `json:"otpData"`
	Secure3dData     *CardsChargeResponseSecure3dData `json:"secure3dData"`
}

type CardsAuthorizeOtpRequest struct {
	TransactionReference string `json:"transactionReference"`
	CollectionChannel    string `json:"collectionChannel,omitempty"`
	// `otpData.id` of the charge
	TokenId string `json:"tokenId"`
	// OTP sent to the customer’s device
	Token string `json:"token"`
}

type CardsAuthorizeOtpResponseOtpData struct {
	// `tokenId` for the authorization
	Id      string `json:"id"`
	Message string `json:"message"`
	// Opaque value
	AuthData string `json:"authData"`
}

type CardsAuthorizeOtpResponseSecure3dData struct {
	Id string `json:"id"`
	// URL to redirect the customer’s browser to
	RedirectUrl string `json:"redirectUrl"`
	// URL of the issuer’s own page
	AcsUrl string `json:"acsUrl"`
	// HTTP method for acsUrl
	Method string `json:"method"`
}

type CardsAuthorizeOtpResponse struct {
	Status               string `json:"status"`
	Message              string `json:"message"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number                            `json:"authorizedAmount"`
	OtpData          *CardsAuthorizeOtpResponseOtpData      `json:"otpData"`
	Secure3dData     *CardsAuthorizeOtpResponseSecure3dData `json:"secure3dData"`
	PaymentStatus    string                                 `json:"paymentStatus"`
	// Naira
	AmountPaid   json.Number `json:"amountPaid"`
	CurrencyPaid string      `json:"currencyPaid"`
}

type CardsAuthorizeSecure3dRequestCard struct {
	// 13 to 19 digits
	Number string `json:"number"`
	// Card PIN; leave it out if the card needs none
	Pin         string `json:"pin,omitempty"`
	ExpiryMonth string `json:"expiryMonth"`
	ExpiryYear  string `json:"expiryYear"`
	Cvv         string `json:"cvv"`
}

type CardsAuthorizeSecure3dRequest struct {
	TransactionReference string                             `json:"transactionReference"`
	CollectionChannel    string                             `json:"collectionChannel,omitempty"`
	Card                 *CardsAuthorizeSecure3dRequestCard `json:"card,omitempty"`
	ApiKey               string                             `json:"apiKey"`
}

type CardsAuthorizeSecure3dResponseOtpData struct {
	// `tokenId` for the authorization
	Id      string `json:"id"`
	Message string `json:"message"`
	// Opaque value
	AuthData string `json:"authData"`
}

type CardsAuthorizeSecure3dResponseSecure3dData struct {
	Id string `json:"id"`
	// URL to redirect the customer’s browser to
	RedirectUrl string `json:"redirectUrl"`
	// URL of the issuer’s own page
	AcsUrl string `json:"acsUrl"`
	// HTTP method for acsUrl
	Method string `json:"method"`
}

type CardsAuthorizeSecure3dResponse struct {
	Status               string `json:"status"`
	Message              string `json:"message"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	AuthorizedAmount json.Number                                 `json:"authorizedAmount"`
	OtpData          *CardsAuthorizeSecure3dResponseOtpData      `json:"otpData"`
	Secure3dData     *CardsAuthorizeSecure3dResponseSecure3dData `json:"secure3dData"`
	PaymentStatus    string                                      `json:"paymentStatus"`
	// Naira
	AmountPaid   json.Number `json:"amountPaid"`
	CurrencyPaid string      `json:"currencyPaid"`
}

type RecurringPaymentChargeRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type RecurringPaymentChargeRequest struct {
	CardToken string `json:"cardToken"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount             json.Number `json:"amount"`
	CustomerName       string      `json:"customerName"`
	CustomerEmail      string      `json:"customerEmail"`
	PaymentReference   string      `json:"paymentReference"`
	PaymentDescription string      `json:"paymentDescription"`
	CurrencyCode       string      `json:"currencyCode"`
	// 12 digits
	ContractCode      string                                           `json:"contractCode"`
	ApiKey            string                                           `json:"apiKey"`
	MetaData          map[string]any                                   `json:"metaData,omitempty"`
	Metadata          map[string]any                                   `json:"metadata,omitempty"`
	IncomeSplitConfig []RecurringPaymentChargeRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
}

type RecurringPaymentChargeResponseProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type RecurringPaymentChargeResponseCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type RecurringPaymentChargeResponseAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type RecurringPaymentChargeResponseAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type RecurringPaymentChargeResponseCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type RecurringPaymentChargeResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                          `json:"settlementAmount"`
	PaidOn             string                                          `json:"paidOn"`
	PaymentStatus      string                                          `json:"paymentStatus"`
	PaymentDescription string                                          `json:"paymentDescription"`
	Currency           string                                          `json:"currency"`
	PaymentMethod      string                                          `json:"paymentMethod"`
	Product            RecurringPaymentChargeResponseProduct           `json:"product"`
	CardDetails        *RecurringPaymentChargeResponseCardDetails      `json:"cardDetails"`
	AccountDetails     *RecurringPaymentChargeResponseAccountDetails   `json:"accountDetails"`
	AccountPayments    []RecurringPaymentChargeResponseAccountPayments `json:"accountPayments"`
	Customer           RecurringPaymentChargeResponseCustomer          `json:"customer"`
	MetaData           map[string]any                                  `json:"metaData"`
}

type WalletsCreateRequestBvnDetails struct {
	Bvn string `json:"bvn"`
	// Yyyy-MM-dd
	BvnDateOfBirth string `json:"bvnDateOfBirth"`
}

type WalletsCreateRequest struct {
	WalletReference string                         `json:"walletReference"`
	WalletName      string                         `json:"walletName"`
	CustomerName    string                         `json:"customerName"`
	CustomerEmail   string                         `json:"customerEmail"`
	BvnDetails      WalletsCreateRequestBvnDetails `json:"bvnDetails"`
}

type WalletsCreateResponseBvnDetails struct {
	Bvn string `json:"bvn"`
	// Yyyy-MM-dd
	BvnDateOfBirth string `json:"bvnDateOfBirth"`
}

type WalletsCreateResponseTopUpAccountDetails struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	CreatedOn     string `json:"createdOn"`
}

type WalletsCreateResponse struct {
	WalletName      string                          `json:"walletName"`
	WalletReference string                          `json:"walletReference"`
	CustomerName    string                          `json:"customerName"`
	CustomerEmail   string                          `json:"customerEmail"`
	FeeBearer       string                          `json:"feeBearer"`
	BvnDetails      WalletsCreateResponseBvnDetails `json:"bvnDetails"`
	// Wallet’s own account number, at bank 50515
	AccountNumber       string                                   `json:"accountNumber"`
	AccountName         string                                   `json:"accountName"`
	TopUpAccountDetails WalletsCreateResponseTopUpAccountDetails `json:"topUpAccountDetails"`
}

type WalletsListRequest struct {
	PageNo          *int64 `json:"pageNo,omitempty"`
	PageSize        *int64 `json:"pageSize,omitempty"`
	WalletReference string `json:"walletReference,omitempty"`
	CustomerEmail   string `json:"customerEmail,omitempty"`
}

type WalletsListResponseContentBvnDetails struct {
	Bvn string `json:"bvn"`
	// Yyyy-MM-dd
	BvnDateOfBirth string `json:"bvnDateOfBirth"`
}

type WalletsListResponseContentTopUpAccountDetails struct {
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	CreatedOn     string `json:"createdOn"`
}

type WalletsListResponseContent struct {
	WalletName      string                               `json:"walletName"`
	WalletReference string                               `json:"walletReference"`
	CustomerName    string                               `json:"customerName"`
	CustomerEmail   string                               `json:"customerEmail"`
	FeeBearer       string                               `json:"feeBearer"`
	BvnDetails      WalletsListResponseContentBvnDetails `json:"bvnDetails"`
	// Wallet’s own account number, at bank 50515
	AccountNumber       string                                        `json:"accountNumber"`
	AccountName         string                                        `json:"accountName"`
	TopUpAccountDetails WalletsListResponseContentTopUpAccountDetails `json:"topUpAccountDetails"`
}

type WalletsListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type WalletsListResponsePageable struct {
	Sort       WalletsListResponsePageableSort `json:"sort"`
	PageSize   int64                           `json:"pageSize"`
	PageNumber int64                           `json:"pageNumber"`
	Offset     int64                           `json:"offset"`
	Paged      bool                            `json:"paged"`
	Unpaged    bool                            `json:"unpaged"`
}

type WalletsListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type WalletsListResponse struct {
	Content          []WalletsListResponseContent `json:"content"`
	Pageable         WalletsListResponsePageable  `json:"pageable"`
	Last             bool                         `json:"last"`
	First            bool                         `json:"first"`
	TotalElements    int64                        `json:"totalElements"`
	TotalPages       int64                        `json:"totalPages"`
	Sort             WalletsListResponseSort      `json:"sort"`
	NumberOfElements int64                        `json:"numberOfElements"`
	Size             int64                        `json:"size"`
	Number           int64                        `json:"number"`
	Empty            bool                         `json:"empty"`
}

type WalletsGetBalanceRequest struct {
	AccountNumber   string `json:"accountNumber,omitempty"`
	WalletReference string `json:"walletReference,omitempty"`
}

type WalletsGetBalanceResponse struct {
	// Naira
	AvailableBalance json.Number `json:"availableBalance"`
	// Naira, including pending transfers
	LedgerBalance json.Number `json:"ledgerBalance"`
}

type WalletsListTransactionsRequest struct {
	PageNo          *int64 `json:"pageNo,omitempty"`
	PageSize        *int64 `json:"pageSize,omitempty"`
	AccountNumber   string `json:"accountNumber,omitempty"`
	WalletReference string `json:"walletReference,omitempty"`
}

type WalletsListTransactionsResponseContent struct {
	WalletTransactionReference string `json:"walletTransactionReference"`
	TransactionReference       string `json:"transactionReference"`
	// Naira
	AvailableBalanceBefore json.Number `json:"availableBalanceBefore"`
	// Naira
	AvailableBalanceAfter json.Number `json:"availableBalanceAfter"`
	// Naira
	Amount          json.Number `json:"amount"`
	TransactionDate string      `json:"transactionDate"`
	TransactionType string      `json:"transactionType"`
	Message         string      `json:"message"`
	Narration       string      `json:"narration"`
	Status          string      `json:"status"`
}

type WalletsListTransactionsResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type WalletsListTransactionsResponsePageable struct {
	Sort       WalletsListTransactionsResponsePageableSort `json:"sort"`
	PageSize   int64                                       `json:"pageSize"`
	PageNumber int64                                       `json:"pageNumber"`
	Offset     int64                                       `json:"offset"`
	Paged      bool                                        `json:"paged"`
	Unpaged    bool                                        `json:"unpaged"`
}

type WalletsListTransactionsResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type WalletsListTransactionsResponse struct {
	Content          []WalletsListTransactionsResponseContent `json:"content"`
	Pageable         WalletsListTransactionsResponsePageable  `json:"pageable"`
	Last             bool                                     `json:"last"`
	First            bool                                     `json:"first"`
	TotalElements    int64                                    `json:"totalElements"`
	TotalPages       int64                                    `json:"totalPages"`
	Sort             WalletsListTransactionsResponseSort      `json:"sort"`
	NumberOfElements int64                                    `json:"numberOfElements"`
	Size             int64                                    `json:"size"`
	Number           int64                                    `json:"number"`
	Empty            bool                                     `json:"empty"`
}

type VerificationMatchBvnDetailsRequest struct {
	Bvn  string `json:"bvn"`
	Name string `json:"name"`
	// Dd-MMM-yyyy
	DateOfBirth string `json:"dateOfBirth"`
	MobileNo    string `json:"mobileNo"`
}

type VerificationMatchBvnDetailsResponseName struct {
	MatchStatus     string `json:"matchStatus"`
	MatchPercentage int64  `json:"matchPercentage"`
}

type VerificationMatchBvnDetailsResponse struct {
	Bvn         string                                  `json:"bvn"`
	Name        VerificationMatchBvnDetailsResponseName `json:"name"`
	DateOfBirth string                                  `json:"dateOfBirth"`
	MobileNo    string                                  `json:"mobileNo"`
}

type VerificationMatchBvnAccountRequest struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	Bvn           string `json:"bvn"`
}

type VerificationMatchBvnAccountResponse struct {
	Bvn             string `json:"bvn"`
	AccountNumber   string `json:"accountNumber"`
	AccountName     string `json:"accountName"`
	MatchStatus     string `json:"matchStatus"`
	MatchPercentage int64  `json:"matchPercentage"`
}

type VerificationGetNinDetailsRequest struct {
	Nin string `json:"nin"`
}

type VerificationGetNinDetailsResponse struct {
	Nin          string `json:"nin"`
	LastName     string `json:"lastName"`
	FirstName    string `json:"firstName"`
	MiddleName   string `json:"middleName"`
	DateOfBirth  string `json:"dateOfBirth"`
	Gender       string `json:"gender"`
	MobileNumber string `json:"mobileNumber"`
}

type BillsPaymentListCategoriesRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type BillsPaymentListCategoriesResponseContent struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type BillsPaymentListCategoriesResponse struct {
	Content       []BillsPaymentListCategoriesResponseContent `json:"content"`
	TotalElements int64                                       `json:"totalElements"`
	Size          int64                                       `json:"size"`
	Number        int64                                       `json:"number"`
	Empty         bool                                        `json:"empty"`
	// Null on the last page
	NextPage int64 `json:"nextPage"`
}

type BillsPaymentListBillersRequest struct {
	Page          *int64 `json:"page,omitempty"`
	Size          *int64 `json:"size,omitempty"`
	Category_code string `json:"category_code,omitempty"`
}

type BillsPaymentListBillersResponseContentCategories struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type BillsPaymentListBillersResponseContent struct {
	Code       string                                             `json:"code"`
	Name       string                                             `json:"name"`
	Categories []BillsPaymentListBillersResponseContentCategories `json:"categories"`
}

type BillsPaymentListBillersResponse struct {
	Content       []BillsPaymentListBillersResponseContent `json:"content"`
	TotalElements int64                                    `json:"totalElements"`
	Size          int64                                    `json:"size"`
	Number        int64                                    `json:"number"`
	Empty         bool                                     `json:"empty"`
	// Null on the last page
	NextPage int64 `json:"nextPage"`
}

type BillsPaymentListProductsRequest struct {
	Page          *int64 `json:"page,omitempty"`
	Size          *int64 `json:"size,omitempty"`
	Biller_code   string `json:"biller_code,omitempty"`
	Category_code string `json:"category_code,omitempty"`
}

type BillsPaymentListProductsResponseContentCategory struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type BillsPaymentListProductsResponseContentBiller struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type BillsPaymentListProductsResponseContent struct {
	Code     string                                          `json:"code"`
	Name     string                                          `json:"name"`
	Category BillsPaymentListProductsResponseContentCategory `json:"category"`
	Biller   BillsPaymentListProductsResponseContentBiller   `json:"biller"`
	// OPEN: the customer chooses the amount; FIXED: the product has a price
	PriceType string `json:"priceType"`
	// Naira; null if the customer chooses the amount
	Price json.Number `json:"price"`
	// Naira
	MinAmount json.Number `json:"minAmount"`
	// Naira
	MaxAmount json.Number    `json:"maxAmount"`
	Metadata  map[string]any `json:"metadata"`
}

type BillsPaymentListProductsResponse struct {
	Content       []BillsPaymentListProductsResponseContent `json:"content"`
	TotalElements int64                                     `json:"totalElements"`
	Size          int64                                     `json:"size"`
	Number        int64                                     `json:"number"`
	Empty         bool                                      `json:"empty"`
	// Null on the last page
	NextPage int64 `json:"nextPage"`
}

type BillsPaymentValidateCustomerRequest struct {
	ProductCode string `json:"productCode"`
	// Customer’s number at the biller: phone, meter, smart card or account number
	CustomerId string `json:"customerId"`
}

type BillsPaymentValidateCustomerResponseVendInstruction struct {
	RequireValidationRef bool   `json:"requireValidationRef"`
	ValidationReference  string `json:"validationReference"`
}

type BillsPaymentValidateCustomerResponse struct {
	// OPEN: the customer chooses the amount; FIXED: the product has a price
	PriceType string `json:"priceType"`
	// Naira; null if the customer chooses the amount
	Price json.Number `json:"price"`
	// Naira
	MinAmount json.Number `json:"minAmount"`
	// Naira
	MaxAmount       json.Number                                         `json:"maxAmount"`
	CustomerName    string                                              `json:"customerName"`
	VendInstruction BillsPaymentValidateCustomerResponseVendInstruction `json:"vendInstruction"`
}

type BillsPaymentVendRequest struct {
	ProductCode string `json:"productCode"`
	// Customer’s number at the biller: phone, meter, smart card or account number
	CustomerId          string      `json:"customerId"`
	Amount              json.Number `json:"amount,omitempty"`
	Reference           string      `json:"reference"`
	ValidationReference string      `json:"validationReference,omitempty"`
	EmailAddress        string      `json:"emailAddress,omitempty"`
	PhoneNumber         string      `json:"phoneNumber,omitempty"`
}

type BillsPaymentVendResponse struct {
	// Reference of the vend request
	VendReference        string `json:"vendReference"`
	TransactionReference string `json:"transactionReference"`
	VendStatus           string `json:"vendStatus"`
	Description          string `json:"description"`
	// Naira
	VendAmount json.Number `json:"vendAmount"`
	// Naira; amount taken from the wallet: vendAmount minus commission
	PayableAmount json.Number `json:"payableAmount"`
	// Naira; merchant’s commission
	Commission  json.Number `json:"commission"`
	CustomerId  string      `json:"customerId"`
	ProductCode string      `json:"productCode"`
	ProductName string      `json:"productName"`
	BillerCode  string      `json:"billerCode"`
	BillerName  string      `json:"billerName"`
	// Values the biller delivers: `token` and `units` for electricity, `pin` and `serial` for vouchers
	Metadata map[string]any `json:"metadata"`
}

type BillsPaymentRequeryRequest struct {
	Reference string `json:"reference"`
}

type BillsPaymentRequeryResponse struct {
	// Reference of the vend request
	VendReference        string `json:"vendReference"`
	TransactionReference string `json:"transactionReference"`
	VendStatus           string `json:"vendStatus"`
	Description          string `json:"description"`
	// Naira
	VendAmount json.Number `json:"vendAmount"`
	// Naira; amount taken from the wallet: vendAmount minus commission
	PayableAmount json.Number `json:"payableAmount"`
	// Naira; merchant’s commission
	Commission  json.Number `json:"commission"`
	CustomerId  string      `json:"customerId"`
	ProductCode string      `json:"productCode"`
	ProductName string      `json:"productName"`
	BillerCode  string      `json:"billerCode"`
	BillerName  string      `json:"billerName"`
	// Values the biller delivers: `token` and `units` for electricity, `pin` and `serial` for vouchers
	Metadata map[string]any `json:"metadata"`
}

type SubAccountsCreateRequest struct {
	SubAccounts any `json:"subAccounts"`
}

type SubAccountsCreateResponse struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode string `json:"subAccountCode"`
	AccountNumber  string `json:"accountNumber"`
	// Account name at the bank
	AccountName  string `json:"accountName"`
	CurrencyCode string `json:"currencyCode"`
	Email        string `json:"email"`
	BankCode     string `json:"bankCode"`
	BankName     string `json:"bankName"`
	// Percentage for splits that set no share
	DefaultSplitPercentage json.Number `json:"defaultSplitPercentage"`
	SettlementProfileCode  string      `json:"settlementProfileCode"`
	// Recipients of settlement reports
	SettlementReportEmails []string `json:"settlementReportEmails"`
}

type SubAccountsListRequest struct{}

type SubAccountsListResponse struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode string `json:"subAccountCode"`
	AccountNumber  string `json:"accountNumber"`
	// Account name at the bank
	AccountName  string `json:"accountName"`
	CurrencyCode string `json:"currencyCode"`
	Email        string `json:"email"`
	BankCode     string `json:"bankCode"`
	BankName     string `json:"bankName"`
	// Percentage for splits that set no share
	DefaultSplitPercentage json.Number `json:"defaultSplitPercentage"`
	SettlementProfileCode  string      `json:"settlementProfileCode"`
	// Recipients of settlement reports
	SettlementReportEmails []string `json:"settlementReportEmails"`
}

type SubAccountsChangeRequest struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode         string      `json:"subAccountCode"`
	CurrencyCode           string      `json:"currencyCode,omitempty"`
	AccountNumber          string      `json:"accountNumber,omitempty"`
	BankCode               string      `json:"bankCode,omitempty"`
	Email                  string      `json:"email,omitempty"`
	DefaultSplitPercentage json.Number `json:"defaultSplitPercentage,omitempty"`
	SettlementProfileCode  string      `json:"settlementProfileCode,omitempty"`
	SettlementReportEmails []string    `json:"settlementReportEmails,omitempty"`
}

type SubAccountsChangeResponse struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode string `json:"subAccountCode"`
	AccountNumber  string `json:"accountNumber"`
	// Account name at the bank
	AccountName  string `json:"accountName"`
	CurrencyCode string `json:"currencyCode"`
	Email        string `json:"email"`
	BankCode     string `json:"bankCode"`
	BankName     string `json:"bankName"`
	// Percentage for splits that set no share
	DefaultSplitPercentage json.Number `json:"defaultSplitPercentage"`
	SettlementProfileCode  string      `json:"settlementProfileCode"`
	// Recipients of settlement reports
	SettlementReportEmails []string `json:"settlementReportEmails"`
}

type SubAccountsDeleteRequest struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode string `json:"subAccountCode"`
}

type SubAccountsDeleteByQueryRequest struct {
	// `KBO_SUB_` and 12 digits
	SubAccountCode string `json:"subAccountCode"`
}

type SettlementsListRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type SettlementsListResponseContent struct {
	SettlementReference string `json:"settlementReference"`
	SettlementDate      string `json:"settlementDate"`
	// Naira
	SettlementAmount json.Number `json:"settlementAmount"`
	// Naira; used to repay the merchant’s debts
	DebtRepaid json.Number `json:"debtRepaid"`
	// Naira; kept in the merchant’s reserve
	Reserved          json.Number `json:"reserved"`
	TransactionsCount int64       `json:"transactionsCount"`
	Currency          string      `json:"currency"`
	// COMPLETED when the money is in the wallet or bank account
	SettlementStatus         string `json:"settlementStatus"`
	DestinationAccountNumber string `json:"destinationAccountNumber"`
	DestinationAccountName   string `json:"destinationAccountName"`
	DestinationBankName      string `json:"destinationBankName"`
	DestinationBankCode      string `json:"destinationBankCode"`
}

type SettlementsListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SettlementsListResponsePageable struct {
	Sort       SettlementsListResponsePageableSort `json:"sort"`
	PageSize   int64                               `json:"pageSize"`
	PageNumber int64                               `json:"pageNumber"`
	Offset     int64                               `json:"offset"`
	Paged      bool                                `json:"paged"`
	Unpaged    bool                                `json:"unpaged"`
}

type SettlementsListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SettlementsListResponse struct {
	Content          []SettlementsListResponseContent `json:"content"`
	Pageable         SettlementsListResponsePageable  `json:"pageable"`
	Last             bool                             `json:"last"`
	First            bool                             `json:"first"`
	TotalElements    int64                            `json:"totalElements"`
	TotalPages       int64                            `json:"totalPages"`
	Sort             SettlementsListResponseSort      `json:"sort"`
	NumberOfElements int64                            `json:"numberOfElements"`
	Size             int64                            `json:"size"`
	Number           int64                            `json:"number"`
	Empty            bool                             `json:"empty"`
}

type SettlementsFindTransactionsRequest struct {
	// The settlement’s reference
	Reference string `json:"reference"`
	Page      *int64 `json:"page,omitempty"`
	Size      *int64 `json:"size,omitempty"`
}

type SettlementsFindTransactionsResponseContentProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type SettlementsFindTransactionsResponseContentCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type SettlementsFindTransactionsResponseContentAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SettlementsFindTransactionsResponseContentAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SettlementsFindTransactionsResponseContentCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type SettlementsFindTransactionsResponseContent struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                                      `json:"settlementAmount"`
	PaidOn             string                                                      `json:"paidOn"`
	PaymentStatus      string                                                      `json:"paymentStatus"`
	PaymentDescription string                                                      `json:"paymentDescription"`
	Currency           string                                                      `json:"currency"`
	PaymentMethod      string                                                      `json:"paymentMethod"`
	Product            SettlementsFindTransactionsResponseContentProduct           `json:"product"`
	CardDetails        *SettlementsFindTransactionsResponseContentCardDetails      `json:"cardDetails"`
	AccountDetails     *SettlementsFindTransactionsResponseContentAccountDetails   `json:"accountDetails"`
	AccountPayments    []SettlementsFindTransactionsResponseContentAccountPayments `json:"accountPayments"`
	Customer           SettlementsFindTransactionsResponseContentCustomer          `json:"customer"`
	MetaData           map[string]any                                              `json:"metaData"`
}

type SettlementsFindTransactionsResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SettlementsFindTransactionsResponsePageable struct {
	Sort       SettlementsFindTransactionsResponsePageableSort `json:"sort"`
	PageSize   int64                                           `json:"pageSize"`
	PageNumber int64                                           `json:"pageNumber"`
	Offset     int64                                           `json:"offset"`
	Paged      bool                                            `json:"paged"`
	Unpaged    bool                                            `json:"unpaged"`
}

type SettlementsFindTransactionsResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SettlementsFindTransactionsResponse struct {
	Content          []SettlementsFindTransactionsResponseContent `json:"content"`
	Pageable         SettlementsFindTransactionsResponsePageable  `json:"pageable"`
	Last             bool                                         `json:"last"`
	First            bool                                         `json:"first"`
	TotalElements    int64                                        `json:"totalElements"`
	TotalPages       int64                                        `json:"totalPages"`
	Sort             SettlementsFindTransactionsResponseSort      `json:"sort"`
	NumberOfElements int64                                        `json:"numberOfElements"`
	Size             int64                                        `json:"size"`
	Number           int64                                        `json:"number"`
	Empty            bool                                         `json:"empty"`
}

type SettlementsGetDetailRequest struct {
	TransactionReference string `json:"transactionReference"`
}

type SettlementsGetDetailResponseTransactionProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type SettlementsGetDetailResponseTransactionCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type SettlementsGetDetailResponseTransactionAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SettlementsGetDetailResponseTransactionAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SettlementsGetDetailResponseTransactionCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type SettlementsGetDetailResponseTransaction struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                                   `json:"settlementAmount"`
	PaidOn             string                                                   `json:"paidOn"`
	PaymentStatus      string                                                   `json:"paymentStatus"`
	PaymentDescription string                                                   `json:"paymentDescription"`
	Currency           string                                                   `json:"currency"`
	PaymentMethod      string                                                   `json:"paymentMethod"`
	Product            SettlementsGetDetailResponseTransactionProduct           `json:"product"`
	CardDetails        *SettlementsGetDetailResponseTransactionCardDetails      `json:"cardDetails"`
	AccountDetails     *SettlementsGetDetailResponseTransactionAccountDetails   `json:"accountDetails"`
	AccountPayments    []SettlementsGetDetailResponseTransactionAccountPayments `json:"accountPayments"`
	Customer           SettlementsGetDetailResponseTransactionCustomer          `json:"customer"`
	MetaData           map[string]any                                           `json:"metaData"`
}

type SettlementsGetDetailResponseBeneficiariesSettlementInformation struct {
	SettledDate         string `json:"settledDate"`
	SettlementReference string `json:"settlementReference"`
	// Naira
	SettlementAmount json.Number `json:"settlementAmount"`
	// Naira; always 0
	SettlementFee json.Number `json:"settlementFee"`
	// Naira; used to repay the merchant’s debts
	DebtRepaid json.Number `json:"debtRepaid"`
	// Naira; kept in the merchant’s reserve
	Reserved                 json.Number `json:"reserved"`
	DestinationAccountNumber string      `json:"destinationAccountNumber"`
	DestinationAccountName   string      `json:"destinationAccountName"`
	DestinationBankName      string      `json:"destinationBankName"`
	DestinationBankCode      string      `json:"destinationBankCode"`
}

type SettlementsGetDetailResponseBeneficiaries struct {
	BeneficiaryType string `json:"beneficiaryType"`
	// Merchant code or sub account code
	BeneficiaryCode string `json:"beneficiaryCode"`
	// Naira
	BeneficiaryIncome json.Number `json:"beneficiaryIncome"`
	// Naira
	IncurredFee           json.Number                                                    `json:"incurredFee"`
	SettlementStatus      string                                                         `json:"settlementStatus"`
	SettlementInformation SettlementsGetDetailResponseBeneficiariesSettlementInformation `json:"settlementInformation"`
}

type SettlementsGetDetailResponse struct {
	TransactionReference string `json:"transactionReference"`
	SettlementReference  string `json:"settlementReference"`
	SettlementDate       string `json:"settlementDate"`
	// Naira
	SettlementAmount json.Number `json:"settlementAmount"`
	// Naira; used to repay the merchant’s debts
	DebtRepaid json.Number `json:"debtRepaid"`
	// Naira; kept in the merchant’s reserve
	Reserved      json.Number                                 `json:"reserved"`
	Currency      string                                      `json:"currency"`
	Transaction   SettlementsGetDetailResponseTransaction     `json:"transaction"`
	Beneficiaries []SettlementsGetDetailResponseBeneficiaries `json:"beneficiaries"`
}

type DirectDebitCreateMandateRequest struct {
	// 12 digits
	ContractCode            string      `json:"contractCode"`
	MandateReference        string      `json:"mandateReference"`
	AutoRenew               *bool       `json:"autoRenew,omitempty"`
	CustomerName            string      `json:"customerName"`
	CustomerEmailAddress    string      `json:"customerEmailAddress"`
	CustomerPhoneNumber     string      `json:"customerPhoneNumber"`
	CustomerAddress         string      `json:"customerAddress"`
	CustomerAccountNumber   string      `json:"customerAccountNumber"`
	CustomerAccountBankCode string      `json:"customerAccountBankCode"`
	CustomerAccountName     string      `json:"customerAccountName,omitempty"`
	MandateDescription      string      `json:"mandateDescription"`
	MandateStartDate        string      `json:"mandateStartDate"`
	MandateEndDate          string      `json:"mandateEndDate"`
	MandateAmount           json.Number `json:"mandateAmount,omitempty"`
	DebitAmount             json.Number `json:"debitAmount,omitempty"`
	CustomerCancellation    *bool       `json:"customerCancellation,omitempty"`
	RedirectUrl             string      `json:"redirectUrl,omitempty"`
	// Language of the email: en, pcm, ha, yo or ig; English for any other value
	Language string `json:"language,omitempty"`
}

type DirectDebitCreateMandateResponse struct {
	ResponseMessage  string `json:"responseMessage"`
	MandateReference string `json:"mandateReference"`
	MandateCode      string `json:"mandateCode"`
	MandateStatus    string `json:"mandateStatus"`
	RedirectUrl      string `json:"redirectUrl"`
}

type DirectDebitGetMandatesRequest struct {
	MandateReferences string `json:"mandateReferences"`
}

type DirectDebitGetMandatesResponse struct {
	MandateCode string `json:"mandateCode"`
	// Merchant’s mandateReference
	ExternalMandateReference string `json:"externalMandateReference"`
	MandateReference         string `json:"mandateReference"`
	StartDate                string `json:"startDate"`
	EndDate                  string `json:"endDate"`
	MandateStatus            string `json:"mandateStatus"`
	// Naira; maximum total of all debits; 0 for no limit
	MandateAmount           json.Number `json:"mandateAmount"`
	ContractCode            string      `json:"contractCode"`
	AutoRenew               bool        `json:"autoRenew"`
	CustomerPhoneNumber     string      `json:"customerPhoneNumber"`
	CustomerEmailAddress    string      `json:"customerEmailAddress"`
	CustomerAddress         string      `json:"customerAddress"`
	CustomerName            string      `json:"customerName"`
	CustomerAccountName     string      `json:"customerAccountName"`
	CustomerAccountNumber   string      `json:"customerAccountNumber"`
	CustomerAccountBankCode string      `json:"customerAccountBankCode"`
	MandateDescription      string      `json:"mandateDescription"`
	// Naira
	DebitAmount json.Number `json:"debitAmount"`
	// Instruction for the customer to authorize the mandate; null if none is needed
	AuthorizationMessage string `json:"authorizationMessage"`
	// Page on which the customer can authorize the mandate, if there is one
	AuthorizationLink string `json:"authorizationLink"`
	SchemeCode        string `json:"schemeCode"`
	ResponseMessage   string `json:"responseMessage"`
}

type DirectDebitListMandatesRequest struct {
	// Unix milliseconds or a date
	StartDate string `json:"startDate,omitempty"`
	// Unix milliseconds or a date
	EndDate       string `json:"endDate,omitempty"`
	Page          *int64 `json:"page,omitempty"`
	Limit         *int64 `json:"limit,omitempty"`
	CustomerEmail string `json:"customerEmail,omitempty"`
	MandateStatus string `json:"mandateStatus,omitempty"`
}

type DirectDebitListMandatesResponseContent struct {
	MandateCode string `json:"mandateCode"`
	// Merchant’s mandateReference
	ExternalMandateReference string `json:"externalMandateReference"`
	MandateReference         string `json:"mandateReference"`
	StartDate                string `json:"startDate"`
	EndDate                  string `json:"endDate"`
	MandateStatus            string `json:"mandateStatus"`
	// Naira; maximum total of all debits; 0 for no limit
	MandateAmount           json.Number `json:"mandateAmount"`
	ContractCode            string      `json:"contractCode"`
	AutoRenew               bool        `json:"autoRenew"`
	CustomerPhoneNumber     string      `json:"customerPhoneNumber"`
	CustomerEmailAddress    string      `json:"customerEmailAddress"`
	CustomerAddress         string      `json:"customerAddress"`
	CustomerName            string      `json:"customerName"`
	CustomerAccountName     string      `json:"customerAccountName"`
	CustomerAccountNumber   string      `json:"customerAccountNumber"`
	CustomerAccountBankCode string      `json:"customerAccountBankCode"`
	MandateDescription      string      `json:"mandateDescription"`
	// Naira
	DebitAmount json.Number `json:"debitAmount"`
	// Instruction for the customer to authorize the mandate; null if none is needed
	AuthorizationMessage string `json:"authorizationMessage"`
	// Page on which the customer can authorize the mandate, if there is one
	AuthorizationLink string `json:"authorizationLink"`
	SchemeCode        string `json:"schemeCode"`
	ResponseMessage   string `json:"responseMessage"`
}

type DirectDebitListMandatesResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type DirectDebitListMandatesResponsePageable struct {
	Sort       DirectDebitListMandatesResponsePageableSort `json:"sort"`
	PageSize   int64                                       `json:"pageSize"`
	PageNumber int64                                       `json:"pageNumber"`
	Offset     int64                                       `json:"offset"`
	Paged      bool                                        `json:"paged"`
	Unpaged    bool                                        `json:"unpaged"`
}

type DirectDebitListMandatesResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type DirectDebitListMandatesResponse struct {
	Content          []DirectDebitListMandatesResponseContent `json:"content"`
	Pageable         DirectDebitListMandatesResponsePageable  `json:"pageable"`
	Last             bool                                     `json:"last"`
	First            bool                                     `json:"first"`
	TotalElements    int64                                    `json:"totalElements"`
	TotalPages       int64                                    `json:"totalPages"`
	Sort             DirectDebitListMandatesResponseSort      `json:"sort"`
	NumberOfElements int64                                    `json:"numberOfElements"`
	Size             int64                                    `json:"size"`
	Number           int64                                    `json:"number"`
	Empty            bool                                     `json:"empty"`
}

type DirectDebitDebitRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type DirectDebitDebitRequest struct {
	PaymentReference string `json:"paymentReference"`
	MandateCode      string `json:"mandateCode"`
	// Naira, as a number or decimal string with at most 2 decimals
	DebitAmount       json.Number                                `json:"debitAmount"`
	Narration         string                                     `json:"narration"`
	CustomerEmail     string                                     `json:"customerEmail"`
	IncomeSplitConfig []DirectDebitDebitRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
}

type DirectDebitDebitResponse struct {
	TransactionStatus    string `json:"transactionStatus"`
	ResponseMessage      string `json:"responseMessage"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	DebitAmount json.Number `json:"debitAmount"`
	Narration   string      `json:"narration"`
	MandateCode string      `json:"mandateCode"`
}

type DirectDebitGetDebitStatusRequest struct {
	PaymentReference string `json:"paymentReference"`
}

type DirectDebitGetDebitStatusResponse struct {
	TransactionStatus    string `json:"transactionStatus"`
	ResponseMessage      string `json:"responseMessage"`
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira
	DebitAmount json.Number `json:"debitAmount"`
	Narration   string      `json:"narration"`
	MandateCode string      `json:"mandateCode"`
}

type DirectDebitCancelMandateRequest struct {
	MandateCode string `json:"mandateCode"`
}

type DirectDebitCancelMandateResponse struct {
	ResponseMessage  string `json:"responseMessage"`
	MandateReference string `json:"mandateReference"`
	MandateCode      string `json:"mandateCode"`
	MandateStatus    string `json:"mandateStatus"`
}

type PaycodesCreateRequest struct {
	BeneficiaryName string `json:"beneficiaryName"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount           json.Number `json:"amount"`
	PaycodeReference string      `json:"paycodeReference"`
	ExpiryDate       string      `json:"expiryDate"`
	// Caller’s API key
	ClientId string `json:"clientId"`
}

type PaycodesCreateResponse struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type PaycodesGetRequest struct {
	PaycodeReference string `json:"paycodeReference"`
}

type PaycodesGetResponse struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type PaycodesRevealRequest struct {
	PaycodeReference string `json:"paycodeReference"`
}

type PaycodesRevealResponse struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type PaycodesListRequest struct {
	Page                 *int64 `json:"page,omitempty"`
	Size                 *int64 `json:"size,omitempty"`
	TransactionReference string `json:"transactionReference,omitempty"`
	// Part of the name, case-insensitive
	BeneficiaryName   string `json:"beneficiaryName,omitempty"`
	TransactionStatus string `json:"transactionStatus,omitempty"`
	// Unix milliseconds or a date
	From string `json:"from,omitempty"`
	// Unix milliseconds or a date
	To string `json:"to,omitempty"`
}

type PaycodesListResponseContent struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type PaycodesListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type PaycodesListResponsePageable struct {
	Sort       PaycodesListResponsePageableSort `json:"sort"`
	PageSize   int64                            `json:"pageSize"`
	PageNumber int64                            `json:"pageNumber"`
	Offset     int64                            `json:"offset"`
	Paged      bool                             `json:"paged"`
	Unpaged    bool                             `json:"unpaged"`
}

type PaycodesListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type PaycodesListResponse struct {
	Content          []PaycodesListResponseContent `json:"content"`
	Pageable         PaycodesListResponsePageable  `json:"pageable"`
	Last             bool                          `json:"last"`
	First            bool                          `json:"first"`
	TotalElements    int64                         `json:"totalElements"`
	TotalPages       int64                         `json:"totalPages"`
	Sort             PaycodesListResponseSort      `json:"sort"`
	NumberOfElements int64                         `json:"numberOfElements"`
	Size             int64                         `json:"size"`
	Number           int64                         `json:"number"`
	Empty            bool                          `json:"empty"`
}

type PaycodesCancelRequest struct {
	PaycodeReference string `json:"paycodeReference"`
}

type PaycodesCancelResponse struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type ReservedAccountsReserveRequestAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveRequestAllowedPaymentSources struct {
	Bvns         []string                                                          `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveRequestAllowedPaymentSourcesBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                          `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveRequestAllowedPaymentSourceBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveRequestAllowedPaymentSource struct {
	Bvns         []string                                                         `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveRequestAllowedPaymentSourceBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                         `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type ReservedAccountsReserveRequest struct {
	AccountReference string `json:"accountReference"`
	AccountName      string `json:"accountName"`
	CurrencyCode     string `json:"currencyCode"`
	// 12 digits
	ContractCode          string                                               `json:"contractCode"`
	CustomerEmail         string                                               `json:"customerEmail"`
	CustomerName          string                                               `json:"customerName,omitempty"`
	Bvn                   string                                               `json:"bvn,omitempty"`
	Nin                   string                                               `json:"nin,omitempty"`
	GetAllAvailableBanks  bool                                                 `json:"getAllAvailableBanks"`
	PreferredBanks        []string                                             `json:"preferredBanks,omitempty"`
	RestrictPaymentSource *bool                                                `json:"restrictPaymentSource,omitempty"`
	AllowedPaymentSources *ReservedAccountsReserveRequestAllowedPaymentSources `json:"allowedPaymentSources,omitempty"`
	AllowedPaymentSource  *ReservedAccountsReserveRequestAllowedPaymentSource  `json:"allowedPaymentSource,omitempty"`
	IncomeSplitConfig     []ReservedAccountsReserveRequestIncomeSplitConfig    `json:"incomeSplitConfig,omitempty"`
	MetaData              map[string]any                                       `json:"metaData,omitempty"`
	Metadata              map[string]any                                       `json:"metadata,omitempty"`
}

type ReservedAccountsReserveResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsReserveResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsReserveResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveResponseAllowedPaymentSources struct {
	Bvns         []string                                                           `json:"bvns"`
	BankAccounts []ReservedAccountsReserveResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                           `json:"accountNames"`
}

type ReservedAccountsReserveResponse struct {
	ContractCode         string                                    `json:"contractCode"`
	AccountReference     string                                    `json:"accountReference"`
	AccountName          string                                    `json:"accountName"`
	CurrencyCode         string                                    `json:"currencyCode"`
	CustomerEmail        string                                    `json:"customerEmail"`
	CustomerName         string                                    `json:"customerName"`
	Accounts             []ReservedAccountsReserveResponseAccounts `json:"accounts"`
	CollectionChannel    string                                    `json:"collectionChannel"`
	ReservationReference string                                    `json:"reservationReference"`
	ReservedAccountType  string                                    `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                `json:"status"`
	CreatedOn             string                                                `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsReserveResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                `json:"bvn"`
	Nin                   string                                                `json:"nin"`
	RestrictPaymentSource bool                                                  `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsReserveResponseAllowedPaymentSources `json:"allowedPaymentSources"`
}

type ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveForInvoicesRequestAllowedPaymentSources struct {
	Bvns         []string                                                                     `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourcesBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                     `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourceBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveForInvoicesRequestAllowedPaymentSource struct {
	Bvns         []string                                                                    `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveForInvoicesRequestAllowedPaymentSourceBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                    `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveForInvoicesRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type ReservedAccountsReserveForInvoicesRequest struct {
	AccountReference string `json:"accountReference"`
	AccountName      string `json:"accountName"`
	CurrencyCode     string `json:"currencyCode"`
	// 12 digits
	ContractCode          string                                                          `json:"contractCode"`
	CustomerEmail         string                                                          `json:"customerEmail"`
	CustomerName          string                                                          `json:"customerName,omitempty"`
	Bvn                   string                                                          `json:"bvn,omitempty"`
	Nin                   string                                                          `json:"nin,omitempty"`
	GetAllAvailableBanks  *bool                                                           `json:"getAllAvailableBanks,omitempty"`
	PreferredBanks        []string                                                        `json:"preferredBanks,omitempty"`
	RestrictPaymentSource *bool                                                           `json:"restrictPaymentSource,omitempty"`
	AllowedPaymentSources *ReservedAccountsReserveForInvoicesRequestAllowedPaymentSources `json:"allowedPaymentSources,omitempty"`
	AllowedPaymentSource  *ReservedAccountsReserveForInvoicesRequestAllowedPaymentSource  `json:"allowedPaymentSource,omitempty"`
	IncomeSplitConfig     []ReservedAccountsReserveForInvoicesRequestIncomeSplitConfig    `json:"incomeSplitConfig,omitempty"`
	MetaData              map[string]any                                                  `json:"metaData,omitempty"`
	Metadata              map[string]any                                                  `json:"metadata,omitempty"`
	ReservedAccountType   string                                                          `json:"reservedAccountType,omitempty"`
}

type ReservedAccountsReserveForInvoicesResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsReserveForInvoicesResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsReserveForInvoicesResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveForInvoicesResponseAllowedPaymentSources struct {
	Bvns         []string                                                                      `json:"bvns"`
	BankAccounts []ReservedAccountsReserveForInvoicesResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                      `json:"accountNames"`
}

type ReservedAccountsReserveForInvoicesResponse struct {
	ContractCode         string                                               `json:"contractCode"`
	AccountReference     string                                               `json:"accountReference"`
	AccountName          string                                               `json:"accountName"`
	CurrencyCode         string                                               `json:"currencyCode"`
	CustomerEmail        string                                               `json:"customerEmail"`
	CustomerName         string                                               `json:"customerName"`
	Accounts             []ReservedAccountsReserveForInvoicesResponseAccounts `json:"accounts"`
	CollectionChannel    string                                               `json:"collectionChannel"`
	ReservationReference string                                               `json:"reservationReference"`
	ReservedAccountType  string                                               `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                           `json:"status"`
	CreatedOn             string                                                           `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsReserveForInvoicesResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                           `json:"bvn"`
	Nin                   string                                                           `json:"nin"`
	RestrictPaymentSource bool                                                             `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsReserveForInvoicesResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	AccountNumber         string                                                           `json:"accountNumber"`
	BankName              string                                                           `json:"bankName"`
	BankCode              string                                                           `json:"bankCode"`
}

type ReservedAccountsReserveWithLimitRequestAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveWithLimitRequestAllowedPaymentSources struct {
	Bvns         []string                                                                   `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveWithLimitRequestAllowedPaymentSourcesBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                   `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveWithLimitRequestAllowedPaymentSourceBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveWithLimitRequestAllowedPaymentSource struct {
	Bvns         []string                                                                  `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsReserveWithLimitRequestAllowedPaymentSourceBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                  `json:"accountNames,omitempty"`
}

type ReservedAccountsReserveWithLimitRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type ReservedAccountsReserveWithLimitRequest struct {
	AccountReference string `json:"accountReference"`
	AccountName      string `json:"accountName"`
	CurrencyCode     string `json:"currencyCode"`
	// 12 digits
	ContractCode          string                                                        `json:"contractCode"`
	CustomerEmail         string                                                        `json:"customerEmail"`
	CustomerName          string                                                        `json:"customerName,omitempty"`
	Bvn                   string                                                        `json:"bvn,omitempty"`
	Nin                   string                                                        `json:"nin,omitempty"`
	GetAllAvailableBanks  *bool                                                         `json:"getAllAvailableBanks,omitempty"`
	PreferredBanks        []string                                                      `json:"preferredBanks,omitempty"`
	RestrictPaymentSource *bool                                                         `json:"restrictPaymentSource,omitempty"`
	AllowedPaymentSources *ReservedAccountsReserveWithLimitRequestAllowedPaymentSources `json:"allowedPaymentSources,omitempty"`
	AllowedPaymentSource  *ReservedAccountsReserveWithLimitRequestAllowedPaymentSource  `json:"allowedPaymentSource,omitempty"`
	IncomeSplitConfig     []ReservedAccountsReserveWithLimitRequestIncomeSplitConfig    `json:"incomeSplitConfig,omitempty"`
	MetaData              map[string]any                                                `json:"metaData,omitempty"`
	Metadata              map[string]any                                                `json:"metadata,omitempty"`
	LimitProfileCode      string                                                        `json:"limitProfileCode"`
}

type ReservedAccountsReserveWithLimitResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsReserveWithLimitResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsReserveWithLimitResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsReserveWithLimitResponseAllowedPaymentSources struct {
	Bvns         []string                                                                    `json:"bvns"`
	BankAccounts []ReservedAccountsReserveWithLimitResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                    `json:"accountNames"`
}

type ReservedAccountsReserveWithLimitResponseLimitProfileConfig struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
}

type ReservedAccountsReserveWithLimitResponse struct {
	ContractCode         string                                             `json:"contractCode"`
	AccountReference     string                                             `json:"accountReference"`
	AccountName          string                                             `json:"accountName"`
	CurrencyCode         string                                             `json:"currencyCode"`
	CustomerEmail        string                                             `json:"customerEmail"`
	CustomerName         string                                             `json:"customerName"`
	Accounts             []ReservedAccountsReserveWithLimitResponseAccounts `json:"accounts"`
	CollectionChannel    string                                             `json:"collectionChannel"`
	ReservationReference string                                             `json:"reservationReference"`
	ReservedAccountType  string                                             `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                         `json:"status"`
	CreatedOn             string                                                         `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsReserveWithLimitResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                         `json:"bvn"`
	Nin                   string                                                         `json:"nin"`
	RestrictPaymentSource bool                                                           `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsReserveWithLimitResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	LimitProfileConfig    ReservedAccountsReserveWithLimitResponseLimitProfileConfig     `json:"limitProfileConfig"`
}

type ReservedAccountsGetRequest struct {
	AccountReference string `json:"accountReference"`
}

type ReservedAccountsGetResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsGetResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsGetResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsGetResponseAllowedPaymentSources struct {
	Bvns         []string                                                       `json:"bvns"`
	BankAccounts []ReservedAccountsGetResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                       `json:"accountNames"`
}

type ReservedAccountsGetResponseContract struct {
	Name        string `json:"name"`
	Code        string `json:"code"`
	Description string `json:"description"`
}

type ReservedAccountsGetResponseLimitProfileConfig struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
}

type ReservedAccountsGetResponse struct {
	ContractCode         string                                `json:"contractCode"`
	AccountReference     string                                `json:"accountReference"`
	AccountName          string                                `json:"accountName"`
	CurrencyCode         string                                `json:"currencyCode"`
	CustomerEmail        string                                `json:"customerEmail"`
	CustomerName         string                                `json:"customerName"`
	Accounts             []ReservedAccountsGetResponseAccounts `json:"accounts"`
	CollectionChannel    string                                `json:"collectionChannel"`
	ReservationReference string                                `json:"reservationReference"`
	ReservedAccountType  string                                `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                            `json:"status"`
	CreatedOn             string                                            `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsGetResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                            `json:"bvn"`
	Nin                   string                                            `json:"nin"`
	RestrictPaymentSource bool                                              `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsGetResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	AccountNumber         string                                            `json:"accountNumber"`
	BankName              string                                            `json:"bankName"`
	BankCode              string                                            `json:"bankCode"`
	Contract              ReservedAccountsGetResponseContract               `json:"contract"`
	TransactionCount      int64                                             `json:"transactionCount"`
	LimitProfileConfig    *ReservedAccountsGetResponseLimitProfileConfig    `json:"limitProfileConfig"`
}

type ReservedAccountsListTransactionsRequest struct {
	AccountReference string `json:"accountReference"`
	Page             *int64 `json:"page,omitempty"`
	Size             *int64 `json:"size,omitempty"`
}

type ReservedAccountsListTransactionsResponseContentCustomerDTO struct {
	Email        string `json:"email"`
	Name         string `json:"name"`
	MerchantCode string `json:"merchantCode"`
}

type ReservedAccountsListTransactionsResponseContent struct {
	CustomerDTO   ReservedAccountsListTransactionsResponseContentCustomerDTO `json:"customerDTO"`
	PaymentMethod string                                                     `json:"paymentMethod"`
	CreatedOn     string                                                     `json:"createdOn"`
	CompletedOn   string                                                     `json:"completedOn"`
	// Naira
	Amount  json.Number `json:"amount"`
	Flagged bool        `json:"flagged"`
	// Naira
	Fee                  json.Number    `json:"fee"`
	CurrencyCode         string         `json:"currencyCode"`
	PaymentDescription   string         `json:"paymentDescription"`
	PaymentStatus        string         `json:"paymentStatus"`
	TransactionReference string         `json:"transactionReference"`
	PaymentReference     string         `json:"paymentReference"`
	MerchantCode         string         `json:"merchantCode"`
	MerchantName         string         `json:"merchantName"`
	MetaData             map[string]any `json:"metaData"`
	// Naira
	PayableAmount json.Number `json:"payableAmount"`
	// Naira
	AmountPaid        json.Number `json:"amountPaid"`
	Completed         bool        `json:"completed"`
	PaymentMethodList []string    `json:"paymentMethodList"`
	CollectionChannel string      `json:"collectionChannel"`
	// Naira; amount received at the bank
	ProviderAmount json.Number `json:"providerAmount"`
	// Code of the bank that received the payment
	ProviderCode    string `json:"providerCode"`
	SettleInstantly bool   `json:"settleInstantly"`
}

type ReservedAccountsListTransactionsResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type ReservedAccountsListTransactionsResponsePageable struct {
	Sort       ReservedAccountsListTransactionsResponsePageableSort `json:"sort"`
	PageSize   int64                                                `json:"pageSize"`
	PageNumber int64                                                `json:"pageNumber"`
	Offset     int64                                                `json:"offset"`
	Paged      bool                                                 `json:"paged"`
	Unpaged    bool                                                 `json:"unpaged"`
}

type ReservedAccountsListTransactionsResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type ReservedAccountsListTransactionsResponse struct {
	Content          []ReservedAccountsListTransactionsResponseContent `json:"content"`
	Pageable         ReservedAccountsListTransactionsResponsePageable  `json:"pageable"`
	Last             bool                                              `json:"last"`
	First            bool                                              `json:"first"`
	TotalElements    int64                                             `json:"totalElements"`
	TotalPages       int64                                             `json:"totalPages"`
	Sort             ReservedAccountsListTransactionsResponseSort      `json:"sort"`
	NumberOfElements int64                                             `json:"numberOfElements"`
	Size             int64                                             `json:"size"`
	Number           int64                                             `json:"number"`
	Empty            bool                                              `json:"empty"`
}

type ReservedAccountsAddLinkedAccountsRequest struct {
	AccountReference     string   `json:"accountReference"`
	GetAllAvailableBanks *bool    `json:"getAllAvailableBanks,omitempty"`
	PreferredBanks       []string `json:"preferredBanks,omitempty"`
}

type ReservedAccountsAddLinkedAccountsResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsAddLinkedAccountsResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSources struct {
	Bvns         []string                                                                     `json:"bvns"`
	BankAccounts []ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                     `json:"accountNames"`
}

type ReservedAccountsAddLinkedAccountsResponse struct {
	ContractCode         string                                              `json:"contractCode"`
	AccountReference     string                                              `json:"accountReference"`
	AccountName          string                                              `json:"accountName"`
	CurrencyCode         string                                              `json:"currencyCode"`
	CustomerEmail        string                                              `json:"customerEmail"`
	CustomerName         string                                              `json:"customerName"`
	Accounts             []ReservedAccountsAddLinkedAccountsResponseAccounts `json:"accounts"`
	CollectionChannel    string                                              `json:"collectionChannel"`
	ReservationReference string                                              `json:"reservationReference"`
	ReservedAccountType  string                                              `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                          `json:"status"`
	CreatedOn             string                                                          `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsAddLinkedAccountsResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                          `json:"bvn"`
	Nin                   string                                                          `json:"nin"`
	RestrictPaymentSource bool                                                            `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsAddLinkedAccountsResponseAllowedPaymentSources `json:"allowedPaymentSources"`
}

type ReservedAccountsUpdateCustomerBvnRequest struct {
	AccountReference string `json:"accountReference"`
	// 11 digits
	Bvn string `json:"bvn"`
}

type ReservedAccountsUpdateCustomerBvnResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsUpdateCustomerBvnResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSources struct {
	Bvns         []string                                                                     `json:"bvns"`
	BankAccounts []ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                     `json:"accountNames"`
}

type ReservedAccountsUpdateCustomerBvnResponse struct {
	ContractCode         string                                              `json:"contractCode"`
	AccountReference     string                                              `json:"accountReference"`
	AccountName          string                                              `json:"accountName"`
	CurrencyCode         string                                              `json:"currencyCode"`
	CustomerEmail        string                                              `json:"customerEmail"`
	CustomerName         string                                              `json:"customerName"`
	Accounts             []ReservedAccountsUpdateCustomerBvnResponseAccounts `json:"accounts"`
	CollectionChannel    string                                              `json:"collectionChannel"`
	ReservationReference string                                              `json:"reservationReference"`
	ReservedAccountType  string                                              `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                          `json:"status"`
	CreatedOn             string                                                          `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsUpdateCustomerBvnResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                          `json:"bvn"`
	Nin                   string                                                          `json:"nin"`
	RestrictPaymentSource bool                                                            `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsUpdateCustomerBvnResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	AccountNumber         string                                                          `json:"accountNumber"`
	BankName              string                                                          `json:"bankName"`
	BankCode              string                                                          `json:"bankCode"`
}

type ReservedAccountsUpdateKycInfoRequest struct {
	AccountReference string `json:"accountReference"`
	Bvn              string `json:"bvn,omitempty"`
	Nin              string `json:"nin,omitempty"`
}

type ReservedAccountsUpdateKycInfoResponse struct {
	AccountReference string `json:"accountReference"`
	AccountName      string `json:"accountName"`
	CustomerEmail    string `json:"customerEmail"`
	CustomerName     string `json:"customerName"`
	Bvn              string `json:"bvn"`
	Nin              string `json:"nin"`
}

type ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSources struct {
	Bvns         []string                                                                            `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourcesBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                            `json:"accountNames,omitempty"`
}

type ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourceBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSource struct {
	Bvns         []string                                                                           `json:"bvns,omitempty"`
	BankAccounts []ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSourceBankAccounts `json:"bankAccounts,omitempty"`
	AccountNames []string                                                                           `json:"accountNames,omitempty"`
}

type ReservedAccountsUpdatePaymentSourceFilterRequest struct {
	AccountReference      string                                                                 `json:"accountReference"`
	RestrictPaymentSource *bool                                                                  `json:"restrictPaymentSource,omitempty"`
	AllowedPaymentSources *ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSources `json:"allowedPaymentSources,omitempty"`
	AllowedPaymentSource  *ReservedAccountsUpdatePaymentSourceFilterRequestAllowedPaymentSource  `json:"allowedPaymentSource,omitempty"`
}

type ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSources struct {
	Bvns         []string                                                                             `json:"bvns"`
	BankAccounts []ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                             `json:"accountNames"`
}

type ReservedAccountsUpdatePaymentSourceFilterResponse struct {
	RestrictPaymentSource bool                                                                   `json:"restrictPaymentSource"`
	AllowedPaymentSources ReservedAccountsUpdatePaymentSourceFilterResponseAllowedPaymentSources `json:"allowedPaymentSources"`
}

type ReservedAccountsUpdateIncomeSplitConfigRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type ReservedAccountsUpdateIncomeSplitConfigRequest struct {
	AccountReference  string                                                            `json:"accountReference"`
	IncomeSplitConfig []ReservedAccountsUpdateIncomeSplitConfigRequestIncomeSplitConfig `json:"incomeSplitConfig"`
}

type ReservedAccountsUpdateIncomeSplitConfigResponseConfigDetails struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsUpdateIncomeSplitConfigResponse struct {
	Code                string                                                         `json:"code"`
	ReservedAccountCode string                                                         `json:"reservedAccountCode"`
	FeeBearer           string                                                         `json:"feeBearer"`
	ConfigDetails       []ReservedAccountsUpdateIncomeSplitConfigResponseConfigDetails `json:"configDetails"`
}

type ReservedAccountsSetLimitProfileRequest struct {
	AccountReference string `json:"accountReference"`
	LimitProfileCode string `json:"limitProfileCode"`
}

type ReservedAccountsSetLimitProfileResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsSetLimitProfileResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsSetLimitProfileResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsSetLimitProfileResponseAllowedPaymentSources struct {
	Bvns         []string                                                                   `json:"bvns"`
	BankAccounts []ReservedAccountsSetLimitProfileResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                                   `json:"accountNames"`
}

type ReservedAccountsSetLimitProfileResponseLimitProfileConfig struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
}

type ReservedAccountsSetLimitProfileResponse struct {
	ContractCode         string                                            `json:"contractCode"`
	AccountReference     string                                            `json:"accountReference"`
	AccountName          string                                            `json:"accountName"`
	CurrencyCode         string                                            `json:"currencyCode"`
	CustomerEmail        string                                            `json:"customerEmail"`
	CustomerName         string                                            `json:"customerName"`
	Accounts             []ReservedAccountsSetLimitProfileResponseAccounts `json:"accounts"`
	CollectionChannel    string                                            `json:"collectionChannel"`
	ReservationReference string                                            `json:"reservationReference"`
	ReservedAccountType  string                                            `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                        `json:"status"`
	CreatedOn             string                                                        `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsSetLimitProfileResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                        `json:"bvn"`
	Nin                   string                                                        `json:"nin"`
	RestrictPaymentSource bool                                                          `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsSetLimitProfileResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	LimitProfileConfig    ReservedAccountsSetLimitProfileResponseLimitProfileConfig     `json:"limitProfileConfig"`
}

type ReservedAccountsDeallocateRequest struct {
	AccountReference string `json:"accountReference"`
}

type ReservedAccountsDeallocateResponseAccounts struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type ReservedAccountsDeallocateResponseIncomeSplitConfig struct {
	SubAccountCode  string      `json:"subAccountCode"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
	// Naira
	SplitAmount               json.Number `json:"splitAmount"`
	ReservedAccountConfigCode string      `json:"reservedAccountConfigCode"`
}

type ReservedAccountsDeallocateResponseAllowedPaymentSourcesBankAccounts struct {
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
}

type ReservedAccountsDeallocateResponseAllowedPaymentSources struct {
	Bvns         []string                                                              `json:"bvns"`
	BankAccounts []ReservedAccountsDeallocateResponseAllowedPaymentSourcesBankAccounts `json:"bankAccounts"`
	AccountNames []string                                                              `json:"accountNames"`
}

type ReservedAccountsDeallocateResponse struct {
	ContractCode         string                                       `json:"contractCode"`
	AccountReference     string                                       `json:"accountReference"`
	AccountName          string                                       `json:"accountName"`
	CurrencyCode         string                                       `json:"currencyCode"`
	CustomerEmail        string                                       `json:"customerEmail"`
	CustomerName         string                                       `json:"customerName"`
	Accounts             []ReservedAccountsDeallocateResponseAccounts `json:"accounts"`
	CollectionChannel    string                                       `json:"collectionChannel"`
	ReservationReference string                                       `json:"reservationReference"`
	ReservedAccountType  string                                       `json:"reservedAccountType"`
	// INVOICE accounts are ACTIVE only while they have an open invoice
	Status                string                                                   `json:"status"`
	CreatedOn             string                                                   `json:"createdOn"`
	IncomeSplitConfig     []ReservedAccountsDeallocateResponseIncomeSplitConfig    `json:"incomeSplitConfig"`
	Bvn                   string                                                   `json:"bvn"`
	Nin                   string                                                   `json:"nin"`
	RestrictPaymentSource bool                                                     `json:"restrictPaymentSource"`
	AllowedPaymentSources *ReservedAccountsDeallocateResponseAllowedPaymentSources `json:"allowedPaymentSources"`
	AccountNumber         string                                                   `json:"accountNumber"`
	BankName              string                                                   `json:"bankName"`
	BankCode              string                                                   `json:"bankCode"`
}

type LimitProfilesCreateRequest struct {
	LimitProfileName string `json:"limitProfileName"`
	// Naira, as a number or decimal string with at most 2 decimals; may be zero
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira, as a number or decimal string with at most 2 decimals; may be zero
	DailyTransactionValue json.Number `json:"dailyTransactionValue"`
	// Maximum number of payments per day
	DailyTransactionVolume json.Number `json:"dailyTransactionVolume"`
}

type LimitProfilesCreateResponse struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
	DateCreated            string      `json:"dateCreated"`
	LastModified           string      `json:"lastModified"`
}

type LimitProfilesListRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type LimitProfilesListResponseContent struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
	DateCreated            string      `json:"dateCreated"`
	LastModified           string      `json:"lastModified"`
}

type LimitProfilesListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type LimitProfilesListResponsePageable struct {
	Sort       LimitProfilesListResponsePageableSort `json:"sort"`
	PageSize   int64                                 `json:"pageSize"`
	PageNumber int64                                 `json:"pageNumber"`
	Offset     int64                                 `json:"offset"`
	Paged      bool                                  `json:"paged"`
	Unpaged    bool                                  `json:"unpaged"`
}

type LimitProfilesListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type LimitProfilesListResponse struct {
	Content          []LimitProfilesListResponseContent `json:"content"`
	Pageable         LimitProfilesListResponsePageable  `json:"pageable"`
	Last             bool                               `json:"last"`
	First            bool                               `json:"first"`
	TotalElements    int64                              `json:"totalElements"`
	TotalPages       int64                              `json:"totalPages"`
	Sort             LimitProfilesListResponseSort      `json:"sort"`
	NumberOfElements int64                              `json:"numberOfElements"`
	Size             int64                              `json:"size"`
	Number           int64                              `json:"number"`
	Empty            bool                               `json:"empty"`
}

type LimitProfilesUpdateRequest struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira, as a number or decimal string with at most 2 decimals; may be zero
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira, as a number or decimal string with at most 2 decimals; may be zero
	DailyTransactionValue json.Number `json:"dailyTransactionValue"`
	// Maximum number of payments per day
	DailyTransactionVolume json.Number `json:"dailyTransactionVolume"`
}

type LimitProfilesUpdateResponse struct {
	LimitProfileCode string `json:"limitProfileCode"`
	LimitProfileName string `json:"limitProfileName"`
	// Naira
	SingleTransactionValue json.Number `json:"singleTransactionValue"`
	// Naira
	DailyTransactionValue  json.Number `json:"dailyTransactionValue"`
	DailyTransactionVolume int64       `json:"dailyTransactionVolume"`
	DateCreated            string      `json:"dateCreated"`
	LastModified           string      `json:"lastModified"`
}

type InvoicesCreateRequestItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira, as a number or decimal string with at most 2 decimals
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesCreateRequestIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Whether the sub account bears the fee; all of it unless feePercentage is set
	FeeBearer       *bool       `json:"feeBearer,omitempty"`
	FeePercentage   json.Number `json:"feePercentage,omitempty"`
	SplitPercentage json.Number `json:"splitPercentage,omitempty"`
	SplitAmount     json.Number `json:"splitAmount,omitempty"`
}

type InvoicesCreateRequest struct {
	// Naira, as a number or decimal string with at most 2 decimals
	Amount           json.Number `json:"amount"`
	CurrencyCode     string      `json:"currencyCode"`
	InvoiceReference string      `json:"invoiceReference"`
	CustomerName     string      `json:"customerName"`
	CustomerEmail    string      `json:"customerEmail"`
	// 12 digits
	ContractCode      string                                   `json:"contractCode"`
	Description       string                                   `json:"description"`
	ExpiryDate        string                                   `json:"expiryDate"`
	Items             []InvoicesCreateRequestItems             `json:"items,omitempty"`
	IncomeSplitConfig []InvoicesCreateRequestIncomeSplitConfig `json:"incomeSplitConfig,omitempty"`
	RedirectUrl       string                                   `json:"redirectUrl,omitempty"`
	PaymentMethods    []string                                 `json:"paymentMethods,omitempty"`
	AccountReference  string                                   `json:"accountReference,omitempty"`
}

type InvoicesCreateResponseIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Naira
	SplitAmount     json.Number `json:"splitAmount"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
}

type InvoicesCreateResponseItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesCreateResponse struct {
	// Naira
	Amount           json.Number `json:"amount"`
	InvoiceReference string      `json:"invoiceReference"`
	InvoiceStatus    string      `json:"invoiceStatus"`
	Description      string      `json:"description"`
	ContractCode     string      `json:"contractCode"`
	CustomerEmail    string      `json:"customerEmail"`
	CustomerName     string      `json:"customerName"`
	ExpiryDate       string      `json:"expiryDate"`
	// API key that created the invoice
	CreatedBy            string                                    `json:"createdBy"`
	CreatedOn            string                                    `json:"createdOn"`
	CheckoutUrl          string                                    `json:"checkoutUrl"`
	AccountNumber        string                                    `json:"accountNumber"`
	AccountName          string                                    `json:"accountName"`
	BankName             string                                    `json:"bankName"`
	BankCode             string                                    `json:"bankCode"`
	RedirectUrl          string                                    `json:"redirectUrl"`
	TransactionReference string                                    `json:"transactionReference"`
	IncomeSplitConfig    []InvoicesCreateResponseIncomeSplitConfig `json:"incomeSplitConfig"`
	Items                []InvoicesCreateResponseItems             `json:"items"`
}

type InvoicesGetRequest struct {
	InvoiceReference string `json:"invoiceReference"`
}

type InvoicesGetResponseIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Naira
	SplitAmount     json.Number `json:"splitAmount"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
}

type InvoicesGetResponseItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesGetResponse struct {
	// Naira
	Amount           json.Number `json:"amount"`
	InvoiceReference string      `json:"invoiceReference"`
	InvoiceStatus    string      `json:"invoiceStatus"`
	Description      string      `json:"description"`
	ContractCode     string      `json:"contractCode"`
	CustomerEmail    string      `json:"customerEmail"`
	CustomerName     string      `json:"customerName"`
	ExpiryDate       string      `json:"expiryDate"`
	// API key that created the invoice
	CreatedBy            string                                 `json:"createdBy"`
	CreatedOn            string                                 `json:"createdOn"`
	CheckoutUrl          string                                 `json:"checkoutUrl"`
	AccountNumber        string                                 `json:"accountNumber"`
	AccountName          string                                 `json:"accountName"`
	BankName             string                                 `json:"bankName"`
	BankCode             string                                 `json:"bankCode"`
	RedirectUrl          string                                 `json:"redirectUrl"`
	TransactionReference string                                 `json:"transactionReference"`
	IncomeSplitConfig    []InvoicesGetResponseIncomeSplitConfig `json:"incomeSplitConfig"`
	Items                []InvoicesGetResponseItems             `json:"items"`
}

type InvoicesListRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type InvoicesListResponseContentIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Naira
	SplitAmount     json.Number `json:"splitAmount"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
}

type InvoicesListResponseContentItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesListResponseContent struct {
	// Naira
	Amount           json.Number `json:"amount"`
	InvoiceReference string      `json:"invoiceReference"`
	InvoiceStatus    string      `json:"invoiceStatus"`
	Description      string      `json:"description"`
	ContractCode     string      `json:"contractCode"`
	CustomerEmail    string      `json:"customerEmail"`
	CustomerName     string      `json:"customerName"`
	ExpiryDate       string      `json:"expiryDate"`
	// API key that created the invoice
	CreatedBy            string                                         `json:"createdBy"`
	CreatedOn            string                                         `json:"createdOn"`
	CheckoutUrl          string                                         `json:"checkoutUrl"`
	AccountNumber        string                                         `json:"accountNumber"`
	AccountName          string                                         `json:"accountName"`
	BankName             string                                         `json:"bankName"`
	BankCode             string                                         `json:"bankCode"`
	RedirectUrl          string                                         `json:"redirectUrl"`
	TransactionReference string                                         `json:"transactionReference"`
	IncomeSplitConfig    []InvoicesListResponseContentIncomeSplitConfig `json:"incomeSplitConfig"`
	Items                []InvoicesListResponseContentItems             `json:"items"`
}

type InvoicesListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type InvoicesListResponsePageable struct {
	Sort       InvoicesListResponsePageableSort `json:"sort"`
	PageSize   int64                            `json:"pageSize"`
	PageNumber int64                            `json:"pageNumber"`
	Offset     int64                            `json:"offset"`
	Paged      bool                             `json:"paged"`
	Unpaged    bool                             `json:"unpaged"`
}

type InvoicesListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type InvoicesListResponse struct {
	Content          []InvoicesListResponseContent `json:"content"`
	Pageable         InvoicesListResponsePageable  `json:"pageable"`
	Last             bool                          `json:"last"`
	First            bool                          `json:"first"`
	TotalElements    int64                         `json:"totalElements"`
	TotalPages       int64                         `json:"totalPages"`
	Sort             InvoicesListResponseSort      `json:"sort"`
	NumberOfElements int64                         `json:"numberOfElements"`
	Size             int64                         `json:"size"`
	Number           int64                         `json:"number"`
	Empty            bool                          `json:"empty"`
}

type InvoicesCancelRequest struct {
	InvoiceReference string `json:"invoiceReference"`
}

type InvoicesCancelResponseIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Naira
	SplitAmount     json.Number `json:"splitAmount"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
}

type InvoicesCancelResponseItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesCancelResponse struct {
	// Naira
	Amount           json.Number `json:"amount"`
	InvoiceReference string      `json:"invoiceReference"`
	InvoiceStatus    string      `json:"invoiceStatus"`
	Description      string      `json:"description"`
	ContractCode     string      `json:"contractCode"`
	CustomerEmail    string      `json:"customerEmail"`
	CustomerName     string      `json:"customerName"`
	ExpiryDate       string      `json:"expiryDate"`
	// API key that created the invoice
	CreatedBy            string                                    `json:"createdBy"`
	CreatedOn            string                                    `json:"createdOn"`
	CheckoutUrl          string                                    `json:"checkoutUrl"`
	AccountNumber        string                                    `json:"accountNumber"`
	AccountName          string                                    `json:"accountName"`
	BankName             string                                    `json:"bankName"`
	BankCode             string                                    `json:"bankCode"`
	RedirectUrl          string                                    `json:"redirectUrl"`
	TransactionReference string                                    `json:"transactionReference"`
	IncomeSplitConfig    []InvoicesCancelResponseIncomeSplitConfig `json:"incomeSplitConfig"`
	Items                []InvoicesCancelResponseItems             `json:"items"`
}

type InvoicesMailRequest struct {
	InvoiceReference string `json:"invoiceReference"`
	// Language of the email: en, pcm, ha, yo or ig; English for any other value
	Language string `json:"language,omitempty"`
}

type InvoicesMailResponseIncomeSplitConfig struct {
	SubAccountCode string `json:"subAccountCode"`
	// Naira
	SplitAmount     json.Number `json:"splitAmount"`
	FeePercentage   json.Number `json:"feePercentage"`
	FeeBearer       bool        `json:"feeBearer"`
	SplitPercentage json.Number `json:"splitPercentage"`
}

type InvoicesMailResponseItems struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	// Naira
	UnitPrice json.Number `json:"unitPrice"`
}

type InvoicesMailResponse struct {
	// Naira
	Amount           json.Number `json:"amount"`
	InvoiceReference string      `json:"invoiceReference"`
	InvoiceStatus    string      `json:"invoiceStatus"`
	Description      string      `json:"description"`
	ContractCode     string      `json:"contractCode"`
	CustomerEmail    string      `json:"customerEmail"`
	CustomerName     string      `json:"customerName"`
	ExpiryDate       string      `json:"expiryDate"`
	// API key that created the invoice
	CreatedBy            string                                  `json:"createdBy"`
	CreatedOn            string                                  `json:"createdOn"`
	CheckoutUrl          string                                  `json:"checkoutUrl"`
	AccountNumber        string                                  `json:"accountNumber"`
	AccountName          string                                  `json:"accountName"`
	BankName             string                                  `json:"bankName"`
	BankCode             string                                  `json:"bankCode"`
	RedirectUrl          string                                  `json:"redirectUrl"`
	TransactionReference string                                  `json:"transactionReference"`
	IncomeSplitConfig    []InvoicesMailResponseIncomeSplitConfig `json:"incomeSplitConfig"`
	Items                []InvoicesMailResponseItems             `json:"items"`
}

type PaymentLinksCreateRequest struct {
	LinkReference string      `json:"linkReference"`
	Title         string      `json:"title"`
	Description   string      `json:"description,omitempty"`
	Amount        json.Number `json:"amount,omitempty"`
	// Whether the link closes after one payment
	Usage string `json:"usage"`
	// 12 digits
	ContractCode   string   `json:"contractCode"`
	PaymentMethods []string `json:"paymentMethods,omitempty"`
	RedirectUrl    string   `json:"redirectUrl,omitempty"`
	ExpiryDate     string   `json:"expiryDate,omitempty"`
}

type PaymentLinksCreateResponse struct {
	LinkReference string `json:"linkReference"`
	// URL of the payment page
	Url         string `json:"url"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Naira; null if the customer chooses the amount
	Amount json.Number `json:"amount"`
	// Whether the link closes after one payment
	Usage        string `json:"usage"`
	ContractCode string `json:"contractCode"`
	// Payment methods offered; empty for all that the contract allows
	PaymentMethods []string `json:"paymentMethods"`
	RedirectUrl    string   `json:"redirectUrl"`
	CreatedOn      string   `json:"createdOn"`
	ExpiryDate     string   `json:"expiryDate"`
	// Latest transaction of a single-use link
	TransactionReference string `json:"transactionReference"`
}

type PaymentLinksGetRequest struct {
	LinkReference string `json:"linkReference"`
}

type PaymentLinksGetResponse struct {
	LinkReference string `json:"linkReference"`
	// URL of the payment page
	Url         string `json:"url"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Naira; null if the customer chooses the amount
	Amount json.Number `json:"amount"`
	// Whether the link closes after one payment
	Usage        string `json:"usage"`
	ContractCode string `json:"contractCode"`
	// Payment methods offered; empty for all that the contract allows
	PaymentMethods []string `json:"paymentMethods"`
	RedirectUrl    string   `json:"redirectUrl"`
	CreatedOn      string   `json:"createdOn"`
	ExpiryDate     string   `json:"expiryDate"`
	// Latest transaction of a single-use link
	TransactionReference string `json:"transactionReference"`
}

type PaymentLinksListRequest struct {
	Page *int64 `json:"page,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

type PaymentLinksListResponseContent struct {
	LinkReference string `json:"linkReference"`
	// URL of the payment page
	Url         string `json:"url"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Naira; null if the customer chooses the amount
	Amount json.Number `json:"amount"`
	// Whether the link closes after one payment
	Usage        string `json:"usage"`
	ContractCode string `json:"contractCode"`
	// Payment methods offered; empty for all that the contract allows
	PaymentMethods []string `json:"paymentMethods"`
	RedirectUrl    string   `json:"redirectUrl"`
	CreatedOn      string   `json:"createdOn"`
	ExpiryDate     string   `json:"expiryDate"`
	// Latest transaction of a single-use link
	TransactionReference string `json:"transactionReference"`
}

type PaymentLinksListResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type PaymentLinksListResponsePageable struct {
	Sort       PaymentLinksListResponsePageableSort `json:"sort"`
	PageSize   int64                                `json:"pageSize"`
	PageNumber int64                                `json:"pageNumber"`
	Offset     int64                                `json:"offset"`
	Paged      bool                                 `json:"paged"`
	Unpaged    bool                                 `json:"unpaged"`
}

type PaymentLinksListResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type PaymentLinksListResponse struct {
	Content          []PaymentLinksListResponseContent `json:"content"`
	Pageable         PaymentLinksListResponsePageable  `json:"pageable"`
	Last             bool                              `json:"last"`
	First            bool                              `json:"first"`
	TotalElements    int64                             `json:"totalElements"`
	TotalPages       int64                             `json:"totalPages"`
	Sort             PaymentLinksListResponseSort      `json:"sort"`
	NumberOfElements int64                             `json:"numberOfElements"`
	Size             int64                             `json:"size"`
	Number           int64                             `json:"number"`
	Empty            bool                              `json:"empty"`
}

type PaymentLinksDisableRequest struct {
	LinkReference string `json:"linkReference"`
}

type PaymentLinksDisableResponse struct {
	LinkReference string `json:"linkReference"`
	// URL of the payment page
	Url         string `json:"url"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Naira; null if the customer chooses the amount
	Amount json.Number `json:"amount"`
	// Whether the link closes after one payment
	Usage        string `json:"usage"`
	ContractCode string `json:"contractCode"`
	// Payment methods offered; empty for all that the contract allows
	PaymentMethods []string `json:"paymentMethods"`
	RedirectUrl    string   `json:"redirectUrl"`
	CreatedOn      string   `json:"createdOn"`
	ExpiryDate     string   `json:"expiryDate"`
	// Latest transaction of a single-use link
	TransactionReference string `json:"transactionReference"`
}

type PaymentLinksMailRequest struct {
	LinkReference string `json:"linkReference"`
	Email         string `json:"email"`
	// Language of the email: en, pcm, ha, yo or ig; English for any other value
	Language string `json:"language,omitempty"`
}

type PaymentLinksMailResponse struct {
	LinkReference string `json:"linkReference"`
	// URL of the payment page
	Url         string `json:"url"`
	Status      string `json:"status"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Naira; null if the customer chooses the amount
	Amount json.Number `json:"amount"`
	// Whether the link closes after one payment
	Usage        string `json:"usage"`
	ContractCode string `json:"contractCode"`
	// Payment methods offered; empty for all that the contract allows
	PaymentMethods []string `json:"paymentMethods"`
	RedirectUrl    string   `json:"redirectUrl"`
	CreatedOn      string   `json:"createdOn"`
	ExpiryDate     string   `json:"expiryDate"`
	// Latest transaction of a single-use link
	TransactionReference string `json:"transactionReference"`
}

type CustomersListRequest struct {
	// Email address, part of a name, phone number or account number
	Search string `json:"search,omitempty"`
	Before string `json:"before,omitempty"`
	Size   *int64 `json:"size,omitempty"`
}

type CustomersListResponseCustomers struct {
	CustomerEmail string `json:"customerEmail"`
	CustomerName  string `json:"customerName"`
	// Kind of the newest record; a transaction, if there is one
	LastRecord     string `json:"lastRecord"`
	LastActivityOn string `json:"lastActivityOn"`
}

type CustomersListResponse struct {
	Customers []CustomersListResponseCustomers `json:"customers"`
	// Value of `before` for the next page; null on the last page
	Next string `json:"next"`
	// Set if the search stopped early: everything back to this time was searched
	SearchedBackTo string `json:"searchedBackTo"`
}

type BanksListRequest struct{}

type BanksListResponse struct {
	Name                 string `json:"name"`
	Code                 string `json:"code"`
	UssdTemplate         string `json:"ussdTemplate"`
	BaseUssdCode         string `json:"baseUssdCode"`
	TransferUssdTemplate string `json:"transferUssdTemplate"`
	BankId               any    `json:"bankId"`
	NipBankCode          string `json:"nipBankCode"`
}

type BanksListForUssdRequest struct{}

type BanksListForUssdResponse struct {
	Name                 string `json:"name"`
	Code                 string `json:"code"`
	UssdTemplate         string `json:"ussdTemplate"`
	BaseUssdCode         string `json:"baseUssdCode"`
	TransferUssdTemplate string `json:"transferUssdTemplate"`
	BankId               any    `json:"bankId"`
	NipBankCode          string `json:"nipBankCode"`
}

type MerchantSettingsGetRequest struct{}

type MerchantSettingsGetResponseWebhookUrls struct {
	Collection   string `json:"collection"`
	Disbursement string `json:"disbursement"`
	Refund       string `json:"refund"`
	Settlement   string `json:"settlement"`
	Mandate      string `json:"mandate"`
	Wallet       string `json:"wallet"`
}

type MerchantSettingsGetResponseSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type MerchantSettingsGetResponsePermissions struct {
	Transfers        bool `json:"transfers"`
	SubAccounts      bool `json:"subAccounts"`
	Wallets          bool `json:"wallets"`
	Bills            bool `json:"bills"`
	Paycode          bool `json:"paycode"`
	Refunds          bool `json:"refunds"`
	Cards            bool `json:"cards"`
	CheckoutCards    bool `json:"checkoutCards"`
	Recurring        bool `json:"recurring"`
	ReservedAccounts bool `json:"reservedAccounts"`
	DirectDebit      bool `json:"directDebit"`
	Verification     bool `json:"verification"`
	Settings         bool `json:"settings"`
}

type MerchantSettingsGetResponseReserve struct {
	Percent string `json:"percent"`
	Days    int64  `json:"days"`
}

type MerchantSettingsGetResponse struct {
	WebhookUrl   string                                 `json:"webhookUrl"`
	WebhookUrls  MerchantSettingsGetResponseWebhookUrls `json:"webhookUrls"`
	OtpEnabled   bool                                   `json:"otpEnabled"`
	IpWhitelist  []string                               `json:"ipWhitelist"`
	FeeBearer    string                                 `json:"feeBearer"`
	Underpayment string                                 `json:"underpayment"`
	Settlement   string                                 `json:"settlement"`
	// Lagos time
	SettlementTime        string                                        `json:"settlementTime"`
	SettlementDestination string                                        `json:"settlementDestination"`
	SettlementAccount     *MerchantSettingsGetResponseSettlementAccount `json:"settlementAccount"`
	// Naira
	LowBalanceThreshold json.Number                            `json:"lowBalanceThreshold"`
	Permissions         MerchantSettingsGetResponsePermissions `json:"permissions"`
	InlineOrigins       []string                               `json:"inlineOrigins"`
	Compat              []string                               `json:"compat"`
	BrandColour         string                                 `json:"brandColour"`
	SupportContact      string                                 `json:"supportContact"`
	// URL of the logo
	Logo                   string                              `json:"logo"`
	PaymentMethods         []string                            `json:"paymentMethods"`
	AccountDurationSeconds int64                               `json:"accountDurationSeconds"`
	Reserve                *MerchantSettingsGetResponseReserve `json:"reserve"`
}

type MerchantSettingsChangeRequestWebhookUrls struct {
	Collection   string `json:"collection,omitempty"`
	Disbursement string `json:"disbursement,omitempty"`
	Refund       string `json:"refund,omitempty"`
	Settlement   string `json:"settlement,omitempty"`
	Mandate      string `json:"mandate,omitempty"`
	Wallet       string `json:"wallet,omitempty"`
}

type MerchantSettingsChangeRequestSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName,omitempty"`
}

type MerchantSettingsChangeRequestPermissions struct {
	Transfers        *bool `json:"transfers,omitempty"`
	SubAccounts      *bool `json:"subAccounts,omitempty"`
	Wallets          *bool `json:"wallets,omitempty"`
	Bills            *bool `json:"bills,omitempty"`
	Paycode          *bool `json:"paycode,omitempty"`
	Refunds          *bool `json:"refunds,omitempty"`
	Cards            *bool `json:"cards,omitempty"`
	CheckoutCards    *bool `json:"checkoutCards,omitempty"`
	Recurring        *bool `json:"recurring,omitempty"`
	ReservedAccounts *bool `json:"reservedAccounts,omitempty"`
	DirectDebit      *bool `json:"directDebit,omitempty"`
	Verification     *bool `json:"verification,omitempty"`
	Settings         *bool `json:"settings,omitempty"`
}

type MerchantSettingsChangeRequestReserve struct {
	Percent string `json:"percent"`
	Days    int64  `json:"days"`
}

type MerchantSettingsChangeRequest struct {
	WebhookUrl   string                                    `json:"webhookUrl,omitempty"`
	WebhookUrls  *MerchantSettingsChangeRequestWebhookUrls `json:"webhookUrls,omitempty"`
	OtpEnabled   *bool                                     `json:"otpEnabled,omitempty"`
	IpWhitelist  []string                                  `json:"ipWhitelist,omitempty"`
	FeeBearer    string                                    `json:"feeBearer,omitempty"`
	Underpayment string                                    `json:"underpayment,omitempty"`
	Settlement   string                                    `json:"settlement,omitempty"`
	// Lagos time
	SettlementTime         string                                          `json:"settlementTime,omitempty"`
	SettlementDestination  string                                          `json:"settlementDestination,omitempty"`
	SettlementAccount      *MerchantSettingsChangeRequestSettlementAccount `json:"settlementAccount,omitempty"`
	LowBalanceThreshold    json.Number                                     `json:"lowBalanceThreshold,omitempty"`
	Permissions            *MerchantSettingsChangeRequestPermissions       `json:"permissions,omitempty"`
	InlineOrigins          []string                                        `json:"inlineOrigins,omitempty"`
	Compat                 []string                                        `json:"compat,omitempty"`
	BrandColour            string                                          `json:"brandColour,omitempty"`
	SupportContact         string                                          `json:"supportContact,omitempty"`
	Logo                   string                                          `json:"logo,omitempty"`
	PaymentMethods         []string                                        `json:"paymentMethods,omitempty"`
	AccountDurationSeconds *int64                                          `json:"accountDurationSeconds,omitempty"`
	Reserve                *MerchantSettingsChangeRequestReserve           `json:"reserve,omitempty"`
}

type MerchantSettingsChangeResponseWebhookUrls struct {
	Collection   string `json:"collection"`
	Disbursement string `json:"disbursement"`
	Refund       string `json:"refund"`
	Settlement   string `json:"settlement"`
	Mandate      string `json:"mandate"`
	Wallet       string `json:"wallet"`
}

type MerchantSettingsChangeResponseSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type MerchantSettingsChangeResponsePermissions struct {
	Transfers        bool `json:"transfers"`
	SubAccounts      bool `json:"subAccounts"`
	Wallets          bool `json:"wallets"`
	Bills            bool `json:"bills"`
	Paycode          bool `json:"paycode"`
	Refunds          bool `json:"refunds"`
	Cards            bool `json:"cards"`
	CheckoutCards    bool `json:"checkoutCards"`
	Recurring        bool `json:"recurring"`
	ReservedAccounts bool `json:"reservedAccounts"`
	DirectDebit      bool `json:"directDebit"`
	Verification     bool `json:"verification"`
	Settings         bool `json:"settings"`
}

type MerchantSettingsChangeResponseReserve struct {
	Percent string `json:"percent"`
	Days    int64  `json:"days"`
}

type MerchantSettingsChangeResponse struct {
	WebhookUrl   string                                    `json:"webhookUrl"`
	WebhookUrls  MerchantSettingsChangeResponseWebhookUrls `json:"webhookUrls"`
	OtpEnabled   bool                                      `json:"otpEnabled"`
	IpWhitelist  []string                                  `json:"ipWhitelist"`
	FeeBearer    string                                    `json:"feeBearer"`
	Underpayment string                                    `json:"underpayment"`
	Settlement   string                                    `json:"settlement"`
	// Lagos time
	SettlementTime        string                                           `json:"settlementTime"`
	SettlementDestination string                                           `json:"settlementDestination"`
	SettlementAccount     *MerchantSettingsChangeResponseSettlementAccount `json:"settlementAccount"`
	// Naira
	LowBalanceThreshold json.Number                               `json:"lowBalanceThreshold"`
	Permissions         MerchantSettingsChangeResponsePermissions `json:"permissions"`
	InlineOrigins       []string                                  `json:"inlineOrigins"`
	Compat              []string                                  `json:"compat"`
	BrandColour         string                                    `json:"brandColour"`
	SupportContact      string                                    `json:"supportContact"`
	// URL of the logo
	Logo                   string                                 `json:"logo"`
	PaymentMethods         []string                               `json:"paymentMethods"`
	AccountDurationSeconds int64                                  `json:"accountDurationSeconds"`
	Reserve                *MerchantSettingsChangeResponseReserve `json:"reserve"`
}

type WebhookEndpointsListRequest struct{}

type WebhookEndpointsListResponseFailures struct {
	EventId      string `json:"eventId"`
	At           string `json:"at"`
	Status       int64  `json:"status"`
	Error        string `json:"error"`
	Milliseconds int64  `json:"milliseconds"`
}

type WebhookEndpointsListResponse struct {
	Id          string   `json:"id"`
	Url         string   `json:"url"`
	Description string   `json:"description"`
	EventTypes  []string `json:"eventTypes"`
	IsPaused    bool     `json:"isPaused"`
	PausedOn    string   `json:"pausedOn"`
	CreatedOn   string   `json:"createdOn"`
	// End of the time in which Kobo also signs with the replaced secret key; null if there is none
	OldSecretValidUntil string `json:"oldSecretValidUntil"`
	// Last delivery, to the minute
	LastDeliveredOn string `json:"lastDeliveredOn"`
	// Undelivered events, counted up to 10000
	Waiting int64 `json:"waiting"`
	// Creation of the oldest undelivered event
	OldestWaitingOn string `json:"oldestWaitingOn"`
	// Delivery attempts for the newest 100 events
	AttemptCount int64 `json:"attemptCount"`
	// How many of these attempts were successful
	DeliveredCount int64 `json:"deliveredCount"`
	// Median time to a response
	MedianMilliseconds int64 `json:"medianMilliseconds"`
	// Last failed attempts, newest first
	Failures []WebhookEndpointsListResponseFailures `json:"failures"`
}

type WebhookEndpointsCreateRequest struct {
	Url         string   `json:"url"`
	Description string   `json:"description,omitempty"`
	EventTypes  []string `json:"eventTypes,omitempty"`
}

type WebhookEndpointsCreateResponseEndpointFailures struct {
	EventId      string `json:"eventId"`
	At           string `json:"at"`
	Status       int64  `json:"status"`
	Error        string `json:"error"`
	Milliseconds int64  `json:"milliseconds"`
}

type WebhookEndpointsCreateResponseEndpoint struct {
	Id          string   `json:"id"`
	Url         string   `json:"url"`
	Description string   `json:"description"`
	EventTypes  []string `json:"eventTypes"`
	IsPaused    bool     `json:"isPaused"`
	PausedOn    string   `json:"pausedOn"`
	CreatedOn   string   `json:"createdOn"`
	// End of the time in which Kobo also signs with the replaced secret key; null if there is none
	OldSecretValidUntil string `json:"oldSecretValidUntil"`
	// Last delivery, to the minute
	LastDeliveredOn string `json:"lastDeliveredOn"`
	// Undelivered events, counted up to 10000
	Waiting int64 `json:"waiting"`
	// Creation of the oldest undelivered event
	OldestWaitingOn string `json:"oldestWaitingOn"`
	// Delivery attempts for the newest 100 events
	AttemptCount int64 `json:"attemptCount"`
	// How many of these attempts were successful
	DeliveredCount int64 `json:"deliveredCount"`
	// Median time to a response
	MedianMilliseconds int64 `json:"medianMilliseconds"`
	// Last failed attempts, newest first
	Failures []WebhookEndpointsCreateResponseEndpointFailures `json:"failures"`
}

type WebhookEndpointsCreateResponse struct {
	// Key that signs this endpoint’s events; shown only here
	SecretKey string                                 `json:"secretKey"`
	Endpoint  WebhookEndpointsCreateResponseEndpoint `json:"endpoint"`
}

type WebhookEndpointsChangeRequest struct {
	Id          string   `json:"id"`
	Url         string   `json:"url,omitempty"`
	Description string   `json:"description,omitempty"`
	EventTypes  []string `json:"eventTypes,omitempty"`
	IsPaused    *bool    `json:"isPaused,omitempty"`
}

type WebhookEndpointsChangeResponseFailures struct {
	EventId      string `json:"eventId"`
	At           string `json:"at"`
	Status       int64  `json:"status"`
	Error        string `json:"error"`
	Milliseconds int64  `json:"milliseconds"`
}

type WebhookEndpointsChangeResponse struct {
	Id          string   `json:"id"`
	Url         string   `json:"url"`
	Description string   `json:"description"`
	EventTypes  []string `json:"eventTypes"`
	IsPaused    bool     `json:"isPaused"`
	PausedOn    string   `json:"pausedOn"`
	CreatedOn   string   `json:"createdOn"`
	// End of the time in which Kobo also signs with the replaced secret key; null if there is none
	OldSecretValidUntil string `json:"oldSecretValidUntil"`
	// Last delivery, to the minute
	LastDeliveredOn string `json:"lastDeliveredOn"`
	// Undelivered events, counted up to 10000
	Waiting int64 `json:"waiting"`
	// Creation of the oldest undelivered event
	OldestWaitingOn string `json:"oldestWaitingOn"`
	// Delivery attempts for the newest 100 events
	AttemptCount int64 `json:"attemptCount"`
	// How many of these attempts were successful
	DeliveredCount int64 `json:"deliveredCount"`
	// Median time to a response
	MedianMilliseconds int64 `json:"medianMilliseconds"`
	// Last failed attempts, newest first
	Failures []WebhookEndpointsChangeResponseFailures `json:"failures"`
}

type WebhookEndpointsRotateSecretRequest struct {
	Id           string `json:"id"`
	OverlapHours int64  `json:"overlapHours"`
}

type WebhookEndpointsRotateSecretResponse struct {
	// Key that signs this endpoint’s events; shown only here
	SecretKey     string `json:"secretKey"`
	OldValidUntil string `json:"oldValidUntil"`
}

type WebhookEndpointsRemoveRequest struct {
	Id string `json:"id"`
}

type EventLogListRequest struct {
	// `next` of the previous page
	Before    string `json:"before,omitempty"`
	Size      *int64 `json:"size,omitempty"`
	EventType string `json:"eventType,omitempty"`
	// Any reference of the event
	Reference string `json:"reference,omitempty"`
	// Only events with this delivery status
	Status string `json:"status,omitempty"`
	// Only deliveries to this additional webhook endpoint, with their status and attempts
	EndpointId string `json:"endpointId,omitempty"`
}

type EventLogListResponseContentEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type EventLogListResponseContentAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type EventLogListResponseContent struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []EventLogListResponseContentEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                                `json:"body"`
	Attempts []EventLogListResponseContentAttempts `json:"attempts"`
}

type EventLogListResponse struct {
	Content []EventLogListResponseContent `json:"content"`
	// Value of `before` for the next page; null on the last page
	Next string `json:"next"`
}

type EventLogGetRequest struct {
	Id string `json:"id"`
}

type EventLogGetResponseEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type EventLogGetResponseAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type EventLogGetResponse struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []EventLogGetResponseEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                        `json:"body"`
	Attempts []EventLogGetResponseAttempts `json:"attempts"`
}

type EventLogResendRequest struct {
	Id string `json:"id"`
}

type EventLogResendResponseEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type EventLogResendResponseAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type EventLogResendResponse struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []EventLogResendResponseEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                           `json:"body"`
	Attempts []EventLogResendResponseAttempts `json:"attempts"`
}

type EventLogResendToRequest struct {
	Id         string `json:"id"`
	EndpointId string `json:"endpointId"`
}

type EventLogResendToResponseEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type EventLogResendToResponseAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type EventLogResendToResponse struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []EventLogResendToResponseEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                             `json:"body"`
	Attempts []EventLogResendToResponseAttempts `json:"attempts"`
}

type EventLogResendSinceRequest struct {
	Since  json.Number `json:"since"`
	Status string      `json:"status,omitempty"`
	// ID of an additional webhook endpoint; without it, the request is about the URLs in your settings
	EndpointId string `json:"endpointId,omitempty"`
}

type EventLogResendSinceResponse struct {
	Count int64 `json:"count"`
}

type EventLogSendTestRequest struct {
	Kind string `json:"kind,omitempty"`
	// ID of an additional webhook endpoint; without it, the request is about the URLs in your settings
	EndpointId string `json:"endpointId,omitempty"`
}

type EventLogSendTestResponseEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type EventLogSendTestResponseAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type EventLogSendTestResponse struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []EventLogSendTestResponseEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                             `json:"body"`
	Attempts []EventLogSendTestResponseAttempts `json:"attempts"`
}

type RequestLogListRequest struct {
	// `next` of the previous page
	Before  string `json:"before,omitempty"`
	Size    *int64 `json:"size,omitempty"`
	Outcome string `json:"outcome,omitempty"`
	// Part of the route
	Route     string `json:"route,omitempty"`
	Reference string `json:"reference,omitempty"`
}

type RequestLogListResponseContent struct {
	Id      string `json:"id"`
	At      string `json:"at"`
	Outcome string `json:"outcome"`
	// HTTP status
	Status int64  `json:"status"`
	Method string `json:"method"`
	Route  string `json:"route"`
	// Error code, if the request was rejected
	Refusal string `json:"refusal"`
	// Reference in the request, if it had one
	Reference    string      `json:"reference"`
	Milliseconds json.Number `json:"milliseconds"`
	// `X-Request-Id` of the response
	RequestId string `json:"requestId"`
	// Caller’s IP address
	Address string `json:"address"`
	// Number of requests before this one that were not logged, because too many arrived at once
	LeftOut int64 `json:"leftOut"`
	// Path and query as sent; null in live mode
	Url string `json:"url"`
	// Null in live mode
	RequestBody string `json:"requestBody"`
	// Null in live mode
	AnswerBody string `json:"answerBody"`
}

type RequestLogListResponse struct {
	Content []RequestLogListResponseContent `json:"content"`
	// Value of `before` for the next page; null on the last page
	Next string `json:"next"`
}

type RequestLogGetRequest struct {
	Id string `json:"id"`
}

type RequestLogGetResponse struct {
	Id      string `json:"id"`
	At      string `json:"at"`
	Outcome string `json:"outcome"`
	// HTTP status
	Status int64  `json:"status"`
	Method string `json:"method"`
	Route  string `json:"route"`
	// Error code, if the request was rejected
	Refusal string `json:"refusal"`
	// Reference in the request, if it had one
	Reference    string      `json:"reference"`
	Milliseconds json.Number `json:"milliseconds"`
	// `X-Request-Id` of the response
	RequestId string `json:"requestId"`
	// Caller’s IP address
	Address string `json:"address"`
	// Number of requests before this one that were not logged, because too many arrived at once
	LeftOut int64 `json:"leftOut"`
	// Path and query as sent; null in live mode
	Url string `json:"url"`
	// Null in live mode
	RequestBody string `json:"requestBody"`
	// Null in live mode
	AnswerBody string `json:"answerBody"`
}

type SandboxPayIntoAccountRequest struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount              json.Number `json:"amount"`
	SenderName          string      `json:"senderName,omitempty"`
	SenderAccountNumber string      `json:"senderAccountNumber,omitempty"`
	SenderBankCode      string      `json:"senderBankCode,omitempty"`
	SenderBvn           string      `json:"senderBvn,omitempty"`
	Narration           string      `json:"narration,omitempty"`
}

type SandboxPayIntoAccountResponse struct {
	SessionId string `json:"sessionId"`
	// Whether the bank accepted the transfer
	Status string `json:"status"`
	Reason string `json:"reason"`
}

type SandboxEnquireNameRequest struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
}

type SandboxEnquireNameResponse struct {
	BankCode      string `json:"bankCode"`
	BankName      string `json:"bankName"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type SandboxFundWalletRequest struct {
	AccountNumber string `json:"accountNumber,omitempty"`
	// Naira, as a number or decimal string with at most 2 decimals
	Amount json.Number `json:"amount"`
}

type SandboxFundWalletResponse struct {
	AccountNumber string `json:"accountNumber"`
	// Naira
	AvailableBalance json.Number `json:"availableBalance"`
	// Naira, including pending transfers
	LedgerBalance json.Number `json:"ledgerBalance"`
}

type SandboxAuthorizeMandateRequest struct {
	MandateCode string `json:"mandateCode"`
}

type SandboxAuthorizeMandateResponse struct {
	MandateCode string `json:"mandateCode"`
	// Merchant’s mandateReference
	ExternalMandateReference string `json:"externalMandateReference"`
	MandateReference         string `json:"mandateReference"`
	StartDate                string `json:"startDate"`
	EndDate                  string `json:"endDate"`
	MandateStatus            string `json:"mandateStatus"`
	// Naira; maximum total of all debits; 0 for no limit
	MandateAmount           json.Number `json:"mandateAmount"`
	ContractCode            string      `json:"contractCode"`
	AutoRenew               bool        `json:"autoRenew"`
	CustomerPhoneNumber     string      `json:"customerPhoneNumber"`
	CustomerEmailAddress    string      `json:"customerEmailAddress"`
	CustomerAddress         string      `json:"customerAddress"`
	CustomerName            string      `json:"customerName"`
	CustomerAccountName     string      `json:"customerAccountName"`
	CustomerAccountNumber   string      `json:"customerAccountNumber"`
	CustomerAccountBankCode string      `json:"customerAccountBankCode"`
	MandateDescription      string      `json:"mandateDescription"`
	// Naira
	DebitAmount json.Number `json:"debitAmount"`
	// Instruction for the customer to authorize the mandate; null if none is needed
	AuthorizationMessage string `json:"authorizationMessage"`
	// Page on which the customer can authorize the mandate, if there is one
	AuthorizationLink string `json:"authorizationLink"`
	SchemeCode        string `json:"schemeCode"`
	ResponseMessage   string `json:"responseMessage"`
}

type SandboxRedeemPaycodeRequest struct {
	PaycodeReference string `json:"paycodeReference"`
}

type SandboxRedeemPaycodeResponse struct {
	// 8 digits; only creation and authorize return all
	Paycode              string `json:"paycode"`
	TransactionReference string `json:"transactionReference"`
	PaycodeReference     string `json:"paycodeReference"`
	BeneficiaryName      string `json:"beneficiaryName"`
	// Naira
	Amount json.Number `json:"amount"`
	// Naira
	Fee               json.Number `json:"fee"`
	TransactionStatus string      `json:"transactionStatus"`
	ExpiryDate        string      `json:"expiryDate"`
	CreatedOn         string      `json:"createdOn"`
	// API key that created the paycode
	CreatedBy string `json:"createdBy"`
	// API key that cancelled the paycode
	ModifiedBy string `json:"modifiedBy"`
	CancelDate string `json:"cancelDate"`
}

type SandboxCollectCashRequest struct {
	// Naira, as a number or decimal string with at most 2 decimals
	Amount             json.Number `json:"amount"`
	PaymentReference   string      `json:"paymentReference,omitempty"`
	CustomerName       string      `json:"customerName,omitempty"`
	CustomerEmail      string      `json:"customerEmail,omitempty"`
	PaymentDescription string      `json:"paymentDescription,omitempty"`
}

type SandboxCollectCashResponseProduct struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

type SandboxCollectCashResponseCardDetails struct {
	CardType             string `json:"cardType"`
	Last4                string `json:"last4"`
	ExpMonth             string `json:"expMonth"`
	ExpYear              string `json:"expYear"`
	Bin                  string `json:"bin"`
	BankCode             string `json:"bankCode"`
	BankName             string `json:"bankName"`
	Reusable             bool   `json:"reusable"`
	CountryCode          string `json:"countryCode"`
	CardToken            string `json:"cardToken"`
	SupportsTokenization bool   `json:"supportsTokenization"`
	MaskedPan            string `json:"maskedPan"`
}

type SandboxCollectCashResponseAccountDetails struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SandboxCollectCashResponseAccountPayments struct {
	AccountName   string `json:"accountName"`
	AccountNumber string `json:"accountNumber"`
	BankCode      string `json:"bankCode"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
}

type SandboxCollectCashResponseCustomer struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type SandboxCollectCashResponse struct {
	TransactionReference string `json:"transactionReference"`
	PaymentReference     string `json:"paymentReference"`
	// Naira, as a decimal string
	AmountPaid string `json:"amountPaid"`
	// Naira, as a decimal string
	TotalPayable string `json:"totalPayable"`
	// Naira, as a decimal string
	SettlementAmount   string                                      `json:"settlementAmount"`
	PaidOn             string                                      `json:"paidOn"`
	PaymentStatus      string                                      `json:"paymentStatus"`
	PaymentDescription string                                      `json:"paymentDescription"`
	Currency           string                                      `json:"currency"`
	PaymentMethod      string                                      `json:"paymentMethod"`
	Product            SandboxCollectCashResponseProduct           `json:"product"`
	CardDetails        *SandboxCollectCashResponseCardDetails      `json:"cardDetails"`
	AccountDetails     *SandboxCollectCashResponseAccountDetails   `json:"accountDetails"`
	AccountPayments    []SandboxCollectCashResponseAccountPayments `json:"accountPayments"`
	Customer           SandboxCollectCashResponseCustomer          `json:"customer"`
	MetaData           map[string]any                              `json:"metaData"`
}

type SandboxOpenDisputeRequest struct {
	TransactionReference string      `json:"transactionReference"`
	DisputeType          string      `json:"disputeType"`
	DisputeAmount        json.Number `json:"disputeAmount,omitempty"`
	DisputeReason        string      `json:"disputeReason,omitempty"`
}

type SandboxOpenDisputeResponse struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment string `json:"comment"`
}

type SandboxDecideDisputeRequest struct {
	DisputeReference string `json:"disputeReference"`
	Outcome          string `json:"outcome"`
}

type SandboxDecideDisputeResponse struct {
	DisputeReference     string `json:"disputeReference"`
	DisputeType          string `json:"disputeType"`
	DisputeStatus        string `json:"disputeStatus"`
	TransactionReference string `json:"transactionReference"`
	// Naira
	DisputeAmount json.Number `json:"disputeAmount"`
	// Part that your wallet could not cover; it is recovered from your next collections
	AmountOwed    json.Number `json:"amountOwed"`
	DisputeReason string      `json:"disputeReason"`
	CurrencyCode  string      `json:"currencyCode"`
	// Deadline for challenging the dispute
	EvidenceDueOn string `json:"evidenceDueOn"`
	CreatedOn     string `json:"createdOn"`
	CompletedOn   string `json:"completedOn"`
	// Reason of the outcome, if one was given
	Comment string `json:"comment"`
}

type SandboxReadInboxRequest struct {
	// Recipient
	To    string `json:"to,omitempty"`
	Limit *int64 `json:"limit,omitempty"`
}

type SandboxReadInboxResponse struct {
	Id      string `json:"id"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	SentAt  string `json:"sentAt"`
}

type SandboxGetSettingsRequest struct{}

type SandboxGetSettingsResponseWebhookUrls struct {
	Collection   string `json:"collection"`
	Disbursement string `json:"disbursement"`
	Refund       string `json:"refund"`
	Settlement   string `json:"settlement"`
	Mandate      string `json:"mandate"`
	Wallet       string `json:"wallet"`
}

type SandboxGetSettingsResponseSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type SandboxGetSettingsResponsePermissions struct {
	Transfers        bool `json:"transfers"`
	SubAccounts      bool `json:"subAccounts"`
	Wallets          bool `json:"wallets"`
	Bills            bool `json:"bills"`
	Paycode          bool `json:"paycode"`
	Refunds          bool `json:"refunds"`
	Cards            bool `json:"cards"`
	CheckoutCards    bool `json:"checkoutCards"`
	Recurring        bool `json:"recurring"`
	ReservedAccounts bool `json:"reservedAccounts"`
	DirectDebit      bool `json:"directDebit"`
	Verification     bool `json:"verification"`
	Settings         bool `json:"settings"`
}

type SandboxGetSettingsResponse struct {
	WebhookUrl   string                                `json:"webhookUrl"`
	WebhookUrls  SandboxGetSettingsResponseWebhookUrls `json:"webhookUrls"`
	OtpEnabled   bool                                  `json:"otpEnabled"`
	IpWhitelist  []string                              `json:"ipWhitelist"`
	FeeBearer    string                                `json:"feeBearer"`
	Underpayment string                                `json:"underpayment"`
	Settlement   string                                `json:"settlement"`
	// Lagos time
	SettlementTime        string                                       `json:"settlementTime"`
	SettlementDestination string                                       `json:"settlementDestination"`
	SettlementAccount     *SandboxGetSettingsResponseSettlementAccount `json:"settlementAccount"`
	// Naira
	LowBalanceThreshold json.Number                           `json:"lowBalanceThreshold"`
	Mail                string                                `json:"mail"`
	Permissions         SandboxGetSettingsResponsePermissions `json:"permissions"`
	InlineOrigins       []string                              `json:"inlineOrigins"`
}

type SandboxChangeSettingsRequestWebhookUrls struct {
	Collection   string `json:"collection,omitempty"`
	Disbursement string `json:"disbursement,omitempty"`
	Refund       string `json:"refund,omitempty"`
	Settlement   string `json:"settlement,omitempty"`
	Mandate      string `json:"mandate,omitempty"`
	Wallet       string `json:"wallet,omitempty"`
}

type SandboxChangeSettingsRequestSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName,omitempty"`
}

type SandboxChangeSettingsRequestPermissions struct {
	Transfers        *bool `json:"transfers,omitempty"`
	SubAccounts      *bool `json:"subAccounts,omitempty"`
	Wallets          *bool `json:"wallets,omitempty"`
	Bills            *bool `json:"bills,omitempty"`
	Paycode          *bool `json:"paycode,omitempty"`
	Refunds          *bool `json:"refunds,omitempty"`
	Cards            *bool `json:"cards,omitempty"`
	CheckoutCards    *bool `json:"checkoutCards,omitempty"`
	Recurring        *bool `json:"recurring,omitempty"`
	ReservedAccounts *bool `json:"reservedAccounts,omitempty"`
	DirectDebit      *bool `json:"directDebit,omitempty"`
	Verification     *bool `json:"verification,omitempty"`
	Settings         *bool `json:"settings,omitempty"`
}

type SandboxChangeSettingsRequest struct {
	WebhookUrl   string                                   `json:"webhookUrl,omitempty"`
	WebhookUrls  *SandboxChangeSettingsRequestWebhookUrls `json:"webhookUrls,omitempty"`
	OtpEnabled   *bool                                    `json:"otpEnabled,omitempty"`
	IpWhitelist  []string                                 `json:"ipWhitelist,omitempty"`
	FeeBearer    string                                   `json:"feeBearer,omitempty"`
	Underpayment string                                   `json:"underpayment,omitempty"`
	Settlement   string                                   `json:"settlement,omitempty"`
	// Lagos time
	SettlementTime        string                                         `json:"settlementTime,omitempty"`
	SettlementDestination string                                         `json:"settlementDestination,omitempty"`
	SettlementAccount     *SandboxChangeSettingsRequestSettlementAccount `json:"settlementAccount,omitempty"`
	LowBalanceThreshold   json.Number                                    `json:"lowBalanceThreshold,omitempty"`
	Mail                  string                                         `json:"mail,omitempty"`
	Permissions           *SandboxChangeSettingsRequestPermissions       `json:"permissions,omitempty"`
	InlineOrigins         []string                                       `json:"inlineOrigins,omitempty"`
}

type SandboxChangeSettingsResponseWebhookUrls struct {
	Collection   string `json:"collection"`
	Disbursement string `json:"disbursement"`
	Refund       string `json:"refund"`
	Settlement   string `json:"settlement"`
	Mandate      string `json:"mandate"`
	Wallet       string `json:"wallet"`
}

type SandboxChangeSettingsResponseSettlementAccount struct {
	BankCode      string `json:"bankCode"`
	AccountNumber string `json:"accountNumber"`
	AccountName   string `json:"accountName"`
}

type SandboxChangeSettingsResponsePermissions struct {
	Transfers        bool `json:"transfers"`
	SubAccounts      bool `json:"subAccounts"`
	Wallets          bool `json:"wallets"`
	Bills            bool `json:"bills"`
	Paycode          bool `json:"paycode"`
	Refunds          bool `json:"refunds"`
	Cards            bool `json:"cards"`
	CheckoutCards    bool `json:"checkoutCards"`
	Recurring        bool `json:"recurring"`
	ReservedAccounts bool `json:"reservedAccounts"`
	DirectDebit      bool `json:"directDebit"`
	Verification     bool `json:"verification"`
	Settings         bool `json:"settings"`
}

type SandboxChangeSettingsResponse struct {
	WebhookUrl   string                                   `json:"webhookUrl"`
	WebhookUrls  SandboxChangeSettingsResponseWebhookUrls `json:"webhookUrls"`
	OtpEnabled   bool                                     `json:"otpEnabled"`
	IpWhitelist  []string                                 `json:"ipWhitelist"`
	FeeBearer    string                                   `json:"feeBearer"`
	Underpayment string                                   `json:"underpayment"`
	Settlement   string                                   `json:"settlement"`
	// Lagos time
	SettlementTime        string                                          `json:"settlementTime"`
	SettlementDestination string                                          `json:"settlementDestination"`
	SettlementAccount     *SandboxChangeSettingsResponseSettlementAccount `json:"settlementAccount"`
	// Naira
	LowBalanceThreshold json.Number                              `json:"lowBalanceThreshold"`
	Mail                string                                   `json:"mail"`
	Permissions         SandboxChangeSettingsResponsePermissions `json:"permissions"`
	InlineOrigins       []string                                 `json:"inlineOrigins"`
}

type SandboxListEventsRequest struct {
	Page      *int64 `json:"page,omitempty"`
	Size      *int64 `json:"size,omitempty"`
	EventType string `json:"eventType,omitempty"`
	// Any reference of the event
	Reference string `json:"reference,omitempty"`
}

type SandboxListEventsResponseContentEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type SandboxListEventsResponseContentAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type SandboxListEventsResponseContent struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []SandboxListEventsResponseContentEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                                     `json:"body"`
	Attempts []SandboxListEventsResponseContentAttempts `json:"attempts"`
}

type SandboxListEventsResponsePageableSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SandboxListEventsResponsePageable struct {
	Sort       SandboxListEventsResponsePageableSort `json:"sort"`
	PageSize   int64                                 `json:"pageSize"`
	PageNumber int64                                 `json:"pageNumber"`
	Offset     int64                                 `json:"offset"`
	Paged      bool                                  `json:"paged"`
	Unpaged    bool                                  `json:"unpaged"`
}

type SandboxListEventsResponseSort struct {
	Sorted   bool `json:"sorted"`
	Unsorted bool `json:"unsorted"`
	Empty    bool `json:"empty"`
}

type SandboxListEventsResponse struct {
	Content          []SandboxListEventsResponseContent `json:"content"`
	Pageable         SandboxListEventsResponsePageable  `json:"pageable"`
	Last             bool                               `json:"last"`
	First            bool                               `json:"first"`
	TotalElements    int64                              `json:"totalElements"`
	TotalPages       int64                              `json:"totalPages"`
	Sort             SandboxListEventsResponseSort      `json:"sort"`
	NumberOfElements int64                              `json:"numberOfElements"`
	Size             int64                              `json:"size"`
	Number           int64                              `json:"number"`
	Empty            bool                               `json:"empty"`
}

type SandboxListenToEventsRequest struct {
	// `cursor` of the previous response
	After string `json:"after,omitempty"`
}

type SandboxListenToEventsResponseEvents struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	CreatedOn string `json:"createdOn"`
	// Exact request body
	Body string `json:"body"`
	// Signature headers as a webhook endpoint receives them, signed at the time of this response
	Headers map[string]any `json:"headers"`
}

type SandboxListenToEventsResponse struct {
	Cursor string                                `json:"cursor"`
	Events []SandboxListenToEventsResponseEvents `json:"events"`
}

type SandboxResendEventRequest struct {
	Id string `json:"id"`
}

type SandboxResendEventResponseEndpoints struct {
	EndpointId    string `json:"endpointId"`
	Url           string `json:"url"`
	Status        string `json:"status"`
	NextAttemptOn string `json:"nextAttemptOn"`
}

type SandboxResendEventResponseAttempts struct {
	At string `json:"at"`
	// URL of this attempt
	Url          string `json:"url"`
	Status       int64  `json:"status"`
	BodyExcerpt  string `json:"bodyExcerpt"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error"`
	Resent       bool   `json:"resent"`
	// ID of the additional webhook endpoint; null for a URL of your settings
	EndpointId string `json:"endpointId"`
}

type SandboxResendEventResponse struct {
	Id        string `json:"id"`
	EventType string `json:"eventType"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
	// URL of the last attempt or, before the first, of the next; null if no URL is set
	Url           string `json:"url"`
	CreatedOn     string `json:"createdOn"`
	NextAttemptOn string `json:"nextAttemptOn"`
	// Deliveries to additional webhook endpoints; the other fields are about the URLs of your settings
	Endpoints []SandboxResendEventResponseEndpoints `json:"endpoints"`
	// Exact request body
	Body     string                               `json:"body"`
	Attempts []SandboxResendEventResponseAttempts `json:"attempts"`
}

type SandboxResendEventsRequest struct {
	Since json.Number `json:"since"`
}

type SandboxResendEventsResponse struct {
	Count int64 `json:"count"`
}

type SandboxReadClockRequest struct{}

type SandboxReadClockResponse struct {
	Now string `json:"now"`
	// The date in Lagos
	Today             string `json:"today"`
	EpochMilliseconds int64  `json:"epochMilliseconds"`
	// Seconds that business time is ahead of real time
	OffsetSeconds int64 `json:"offsetSeconds"`
}

type SandboxAdvanceClockRequest struct {
	Seconds int64 `json:"seconds"`
}

type SandboxAdvanceClockResponse struct {
	Now string `json:"now"`
	// The date in Lagos
	Today             string `json:"today"`
	EpochMilliseconds int64  `json:"epochMilliseconds"`
	// Seconds that business time is ahead of real time
	OffsetSeconds int64 `json:"offsetSeconds"`
}

type SandboxGetReportRequest struct{}

type SandboxGetReportResponseReportResults struct {
	Scenario string `json:"scenario"`
	IsPassed bool   `json:"isPassed"`
	Problem  string `json:"problem"`
	Guide    string `json:"guide"`
}

type SandboxGetReportResponseReport struct {
	Score   int64                                   `json:"score"`
	Seed    int64                                   `json:"seed"`
	Results []SandboxGetReportResponseReportResults `json:"results"`
}

type SandboxGetReportResponse struct {
	// Null before the first check
	CheckedAt string                          `json:"checkedAt"`
	Report    *SandboxGetReportResponseReport `json:"report"`
}

type SandboxSaveReportRequestResults struct {
	Scenario string `json:"scenario"`
	IsPassed bool   `json:"isPassed"`
	Problem  string `json:"problem"`
	Guide    string `json:"guide"`
}

type SandboxSaveReportRequest struct {
	Score   int64                             `json:"score"`
	Seed    int64                             `json:"seed"`
	Results []SandboxSaveReportRequestResults `json:"results"`
}

type SandboxSaveReportResponse struct {
	CheckedAt string `json:"checkedAt"`
}
