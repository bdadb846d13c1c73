// Acts as a shop and prints the results as JSON.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"kobo"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var given struct{ BaseUrl, ApiKey, SecretKey, ContractCode string }
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	ctx := context.Background()
	warnings := []string{}
	options := kobo.Options{BaseUrl: given.BaseUrl, ApiKey: given.ApiKey, SecretKey: given.SecretKey}
	options.OnWarning = func(message string) { warnings = append(warnings, message) }
	shop := must(kobo.New(options))
	order := func(reference string) kobo.TransactionsInitRequest {
		return kobo.TransactionsInitRequest{
			Amount:           "9000",
			CustomerEmail:    "ada@example.com",
			PaymentReference: reference,
			CurrencyCode:     "NGN",
			ContractCode:     given.ContractCode,
		}
	}

	printed := map[string]any{}
	reference := must(shop.Transactions.Init(ctx, order("shop-1"))).TransactionReference
	account := must(shop.BankTransfer.Init(ctx, kobo.BankTransferInitRequest{TransactionReference: reference, BankCode: "035"}))
	must(shop.Sandbox.PayIntoAccount(ctx, kobo.SandboxPayIntoAccountRequest{BankCode: "035", AccountNumber: account.AccountNumber, Amount: "9000"}))
	printed["status"] = must(shop.Transactions.Get(ctx, kobo.TransactionsGetRequest{TransactionReference: reference})).PaymentStatus
	var refused *kobo.Refused
	if _, err := shop.Transactions.Init(ctx, order("shop-1")); errors.As(err, &refused) {
		printed["refused"] = []any{refused.Status, refused.Code, refused.RequestId != ""}
	}
	must(shop.Transactions.Init(ctx, order("shop-2")))
	must(shop.Transactions.Init(ctx, order("shop-3")))
	printed["warnings"] = warnings
	found := []string{}
	search := kobo.TransactionsSearchRequest{Size: kobo.Optional[int64](1)}
	err := shop.Transactions.SearchEach(ctx, search, func(payment kobo.TransactionsSearchResponseContent) error {
		found = append(found, payment.PaymentReference)
		return nil
	})
	printed["found"] = must(found, err)
	must(shop.Sandbox.ChangeSettings(ctx, kobo.SandboxChangeSettingsRequest{WebhookUrl: "http://localhost:3000/events"}))
	printed["isReset"] = must(shop.Sandbox.ChangeSettings(ctx, kobo.SandboxChangeSettingsRequest{}, kobo.Null("webhookUrl"))).WebhookUrl == ""
	options.BaseUrl, options.AttemptsMax = "http://127.0.0.1:1", 1
	var noResponse *kobo.NoResponse
	if _, err := must(kobo.New(options)).Banks.List(ctx, kobo.BanksListRequest{}); errors.As(err, &noResponse) {
		printed["noResponse"] = noResponse.Status
	}
	options.BaseUrl = "localhost:8700"
	_, err = kobo.New(options)
	printed["wrongUrl"] = err != nil && strings.Contains(err.Error(), "must start with https://")

	body := []byte(`{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{}}`)
	signed := func(secret string, at int64) http.Header {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "evt_1.%d.%s", at, body)
		headers := http.Header{}
		headers.Set("webhook-id", "evt_1")
		headers.Set("webhook-timestamp", fmt.Sprint(at))
		headers.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		return headers
	}
	isGenuine := func(headers http.Header) bool {
		event, err := kobo.VerifyEvent(body, headers, "an-older-key", given.SecretKey)
		return err == nil && event.EventType == "SUCCESSFUL_TRANSACTION"
	}
	now := time.Now().Unix()
	printed["genuine"] = []bool{isGenuine(signed(given.SecretKey, now)), isGenuine(signed("forged", now)), isGenuine(signed(given.SecretKey, now-301)), isGenuine(http.Header{})}
	if _, err := kobo.VerifyEvent(body, signed("", now), ""); err != nil {
		printed["emptyKey"] = "rejected"
	}
	if err := json.NewEncoder(os.Stdout).Encode(printed); err != nil {
		panic(err)
	}
}
