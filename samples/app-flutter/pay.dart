import 'dart:convert';

import 'package:flutter_web_auth_2/flutter_web_auth_2.dart';
import 'package:http/http.dart' as http;

/// Your own server. It creates the payment, redirects /app-return to
/// myshop://paid, and knows from the webhook whether an order is paid.
const server = 'https://shop.example';

/// Opens the checkout in a secure tab. Returns whether the order is paid.
Future<bool> pay(String order) async {
  final created = await http.post(Uri.parse('$server/orders/$order/payment'));
  final checkoutUrl = jsonDecode(created.body)['checkoutUrl'] as String;
  try {
    await FlutterWebAuth2.authenticate(url: checkoutUrl, callbackUrlScheme: 'myshop');
  } catch (_) {
    // The customer closed the tab, perhaps after paying.
  }
  final status = await http.get(Uri.parse('$server/orders/$order'));
  return jsonDecode(status.body)['isPaid'] == true;
}
