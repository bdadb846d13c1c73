<?php
/**
 * Plugin Name: Test shop
 * Description: Sells one product and talks to its gateway as Monnify's plugin for WooCommerce does: the same script, options, calls and checks.
 */

const SHOP_PRICE = '4250.50';
const SHOP_API = 'https://sandbox.monnify.com';
const SHOP_WEBHOOK_IP = '35.242.133.146';
const SHOP_METHODS = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'];

/** The script of the payment page: opens the checkout at once, and on click. */
const SHOP_SCRIPT = <<<'JS'
jQuery(($) => {
  const { returnUrl, cartUrl, amount, ...order } = window.shop
  const pay = () =>
    MonnifySDK.initialize({
      ...order,
      amount: Number(amount),
      paymentDescription: 'Make Payment with Monnify',
      onLoadStart: () => {},
      onLoadComplete: () => {},
      onComplete: ({ transactionReference }) => {
        window.location.href = `${returnUrl}&mnfy_reference=${transactionReference}`
      },
      onClose: ({ paymentStatus }) => {
        if (paymentStatus === 'USER_CANCELLED') window.location.href = cartUrl
      },
    })
  $('#shop-pay').on('click', pay)
  pay()
})
JS;

register_activation_hook(__FILE__, function () {
    $pages = [];
    foreach (['shop' => 'Zobo, six bottles', 'cart' => 'Cart', 'pay' => 'Pay for your order', 'order' => 'Your order'] as $name => $title) {
        $post = ['post_type' => 'page', 'post_status' => 'publish', 'post_name' => $name, 'post_title' => $title, 'post_content' => "[shop_$name]"];
        $pages[$name] = wp_insert_post($post);
    }
    update_option('shop_pages', $pages);
    update_option('show_on_front', 'page');
    update_option('page_on_front', $pages['shop']);
});

function shop_url($page, $query = [])
{
    return add_query_arg($query, get_permalink(get_option('shop_pages')[$page]));
}

function shop_go($url)
{
    wp_redirect($url);
    exit;
}

/** The customer's form: add to the cart, or place the order. */
function shop_form($action, $label)
{
    return "<form method='post'><input type='hidden' name='shop' value='$action'><button class='wp-element-button'>$label</button></form>";
}

add_action('init', function () {
    register_post_type('shop_order', ['public' => false]);
    if (($_POST['shop'] ?? '') === 'add') {
        setcookie('shop_cart', '1', 0, '/');
        shop_go(shop_url('cart'));
    }
    if (($_POST['shop'] ?? '') === 'order') {
        $id = wp_insert_post(['post_type' => 'shop_order', 'post_status' => 'publish', 'post_title' => 'Order']);
        update_post_meta($id, 'status', 'pending');
        update_post_meta($id, 'key', wp_generate_password(12, false));
        shop_go(shop_url('pay', ['order_id' => $id, 'key' => get_post_meta($id, 'key', true)]));
    }
    if (strtolower($_GET['wc-api'] ?? '') === 'wc_monnify_gateway') {
        isset($_SERVER['HTTP_MONNIFY_SIGNATURE']) ? shop_webhook() : shop_verify();
    }
});

/** The order of the page's URL, if its key is right. */
function shop_order()
{
    $id = absint($_GET['order_id'] ?? 0);
    return hash_equals((string) get_post_meta($id, 'key', true), (string) ($_GET['key'] ?? '')) ? $id : 0;
}

add_shortcode('shop_shop', fn () => '<p>₦4,250.50</p>' . shop_form('add', 'Add to cart'));

add_shortcode('shop_cart', fn () => isset($_COOKIE['shop_cart'])
    ? '<p>1 × Zobo, six bottles: ₦4,250.50</p>' . shop_form('order', 'Place order')
    : '<p>Your cart is empty.</p>');

add_shortcode('shop_pay', fn () => '<p>Thank you for your order. Click the button below to pay.</p><button class="wp-element-button" id="shop-pay">Pay Now</button>');

add_shortcode('shop_order', function () {
    $id = shop_order();
    $status = esc_html(get_post_meta($id, 'status', true));
    $by = esc_html(get_post_meta($id, 'completed_by', true));
    return "<p>Order $id is $status." . ($by === '' ? '' : " Confirmed by $by.") . '</p>';
});

/** The scripts of the payment page. */
add_action('wp_enqueue_scripts', function () {
    $id = shop_order();
    if (!is_page(get_option('shop_pages')['pay']) || $id === 0) {
        return;
    }
    ['key' => $key, 'contract' => $contract] = get_option('shop_keys');
    $reference = "MNFY_WP_{$id}_" . time() . '_' . wp_rand(1000, 9999);
    add_post_meta($id, 'reference', $reference);
    $return = ['wc-api' => 'WC_Monnify_Gateway', 'monnify_order_id' => $id, 'monnify_nonce' => wp_create_nonce("pay_$id")];
    wp_enqueue_script('monnify', 'https://sdk.monnify.com/plugin/monnify.js', ['jquery'], '1.0.1', false);
    wp_localize_script('monnify', 'shop', [
        'apiKey' => $key,
        'contractCode' => $contract,
        'amount' => SHOP_PRICE,
        'currency' => 'NGN',
        'reference' => $reference,
        'customerName' => 'Ada Obi',
        'customerEmail' => 'ada@example.com',
        'customerMobileNumber' => '08031234567',
        'paymentMethods' => SHOP_METHODS,
        'returnUrl' => add_query_arg($return, home_url('/')),
        'cartUrl' => shop_url('cart'),
    ]);
    wp_add_inline_script('monnify', SHOP_SCRIPT);
});

/** The return from the checkout: asks the gateway for the status. */
function shop_verify()
{
    $id = absint($_GET['monnify_order_id'] ?? 0);
    if (!wp_verify_nonce($_GET['monnify_nonce'] ?? '', "pay_$id")) {
        wp_die('Security check failed.');
    }
    ['key' => $key, 'secret' => $secret] = get_option('shop_keys');
    $json = ['Content-Type' => 'application/json'];
    $basic = ['Authorization' => 'Basic ' . base64_encode("$key:$secret")];
    $login = wp_remote_post(SHOP_API . '/api/v1/auth/login', ['headers' => $basic + $json, 'timeout' => 60]);
    if (wp_remote_retrieve_response_code($login) !== 200) {
        wp_die('No access token.');
    }
    $bearer = ['Authorization' => 'Bearer ' . json_decode(wp_remote_retrieve_body($login))->responseBody->accessToken];
    $url = SHOP_API . '/api/v2/transactions/' . urlencode(sanitize_text_field(wp_unslash($_GET['mnfy_reference'] ?? '')));
    $found = json_decode(wp_remote_retrieve_body(wp_remote_get($url, ['headers' => $bearer + $json, 'timeout' => 60])));
    $payment = $found->responseBody ?? wp_die('No such payment.');
    if (!in_array($payment->paymentReference, get_post_meta($id, 'reference'), true)) {
        wp_die('This payment is not for this order.');
    }
    if (in_array($payment->paymentStatus, ['PAID', 'OVERPAID', 'PARTIALLY_PAID'], true)) {
        shop_paid($id, $payment->amountPaid, 'status query');
    }
    shop_go(shop_url('order', ['order_id' => $id, 'key' => get_post_meta($id, 'key', true)]));
}

function shop_webhook()
{
    $payload = file_get_contents('php://input');
    $signature = hash_hmac('sha512', $payload, get_option('shop_keys')['secret']);
    $event = json_decode($payload, true);
    $id = absint(explode('_', $event['eventData']['paymentReference'] ?? '')[2] ?? 0);
    $is_genuine = $_SERVER['REMOTE_ADDR'] === SHOP_WEBHOOK_IP && hash_equals($signature, $_SERVER['HTTP_MONNIFY_SIGNATURE']);
    if (!$is_genuine || get_post_type($id) !== 'shop_order') {
        http_response_code(400);
        exit;
    }
    if ($event['eventType'] === 'SUCCESSFUL_TRANSACTION') {
        shop_paid($id, $event['eventData']['amountPaid'], 'webhook');
    }
    exit;
}

function shop_paid($id, $amount, $by)
{
    if (get_post_meta($id, 'status', true) === 'completed') {
        return;
    }
    $is_enough = $amount >= SHOP_PRICE;
    update_post_meta($id, 'completed_by', $by);
    update_post_meta($id, 'status', $is_enough ? 'completed' : 'on-hold');
}
