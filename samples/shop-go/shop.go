// A shop with one product: it creates a payment, sends the customer to the checkout, and receives events.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"kobo"
)

const (
	price        = 9000
	bodyBytesMax = 1_000_000
)

type order struct {
	Status     string `json:"status"`
	Deliveries int    `json:"deliveries"`
}

// Orders by payment reference; use a database in a real shop.
var (
	lock   sync.Mutex
	orders = map[string]order{}
	client *kobo.Client
)

// buy creates an order and its payment, and returns the checkout URL.
func buy(request *http.Request) (any, error) {
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	reference := "order-" + hex.EncodeToString(random)
	lock.Lock()
	orders[reference] = order{Status: "OPEN"}
	lock.Unlock()
	payment, err := client.Transactions.Init(request.Context(), kobo.TransactionsInitRequest{
		Amount:             json.Number(strconv.Itoa(price)),
		CustomerName:       "Ada Obi",
		CustomerEmail:      "ada@example.com",
		PaymentReference:   reference,
		PaymentDescription: "Two pairs of shoes",
		CurrencyCode:       "NGN",
		ContractCode:       os.Getenv("KOBO_CONTRACT_CODE"),
	})
	return map[string]string{"reference": reference, "checkoutUrl": payment.CheckoutUrl}, err
}

// deliverIfPaid queries the payment's status, because an event is only a hint, and delivers the goods if it is paid.
func deliverIfPaid(ctx context.Context, reference string) error {
	payment, err := client.Transactions.Query(ctx, kobo.TransactionsQueryRequest{PaymentReference: reference})
	if err != nil {
		return err
	}
	amount, err := strconv.ParseFloat(payment.AmountPaid, 64)
	isPaid := (payment.PaymentStatus == "PAID" || payment.PaymentStatus == "OVERPAID") && amount >= price && payment.Currency == "NGN"
	lock.Lock()
	defer lock.Unlock()
	known, ok := orders[reference]
	if err != nil || !ok {
		return err
	}
	known.Status = payment.PaymentStatus
	if isPaid && known.Deliveries == 0 { // the same event can arrive twice
		known.Deliveries = 1
	}
	orders[reference] = known
	return nil
}

// receive handles an event. After an error, the gateway retries.
func receive(request *http.Request) (any, error) {
	body, err := io.ReadAll(io.LimitReader(request.Body, bodyBytesMax))
	if err != nil {
		return nil, err
	}
	event, err := kobo.VerifyEvent(body, request.Header, os.Getenv("KOBO_SECRET_KEY"))
	if err != nil {
		return nil, err
	}
	var data struct{ PaymentReference string }
	if err = json.Unmarshal(event.EventData, &data); err == nil && event.EventType == "SUCCESSFUL_TRANSACTION" {
		err = deliverIfPaid(request.Context(), data.PaymentReference)
	}
	return map[string]bool{"received": err == nil}, err
}

func show(request *http.Request) (any, error) {
	lock.Lock()
	defer lock.Unlock()
	return orders[strings.TrimPrefix(request.URL.Path, "/orders/")], nil
}

func serve(path, method string, act func(*http.Request) (any, error)) {
	http.HandleFunc(path, func(response http.ResponseWriter, request *http.Request) {
		if request.Method != method {
			response.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		status := http.StatusOK
		result, err := act(request)
		if errors.Is(err, kobo.ErrInvalidSignature) {
			status = http.StatusUnauthorized
		} else if err != nil {
			status = http.StatusBadGateway
			log.Print(err)
		}
		response.Header().Set("content-type", "application/json")
		response.WriteHeader(status)
		_ = json.NewEncoder(response).Encode(result)
	})
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	var err error
	client, err = kobo.New(kobo.Options{
		BaseUrl:   os.Getenv("KOBO_URL"),
		ApiKey:    os.Getenv("KOBO_API_KEY"),
		SecretKey: os.Getenv("KOBO_SECRET_KEY"),
	})
	if err != nil {
		log.Fatal(err)
	}
	serve("/buy", "POST", buy)
	serve("/events", "POST", receive)
	serve("/orders/", "GET", show)
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("The shop is open at http://localhost:" + port)
	log.Fatal(http.Serve(listener, nil))
}
